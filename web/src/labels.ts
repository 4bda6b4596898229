// Names cut to fit, so that different names stay different.

/** Cuts a text in the middle; `head` is the share of the letters before the gap. */
function cut(text: string, letters: number, head: number): string {
  if (text.length <= letters) return text;
  const front = Math.min(letters - 2, Math.max(1, Math.round((letters - 1) * head)));
  return `${text.slice(0, front).trimEnd()}…${
    text.slice(text.length - (letters - 1 - front)).trimStart()
  }`;
}

const kHeads = [0.6, 0.4, 0.75, 0.25, 0.9, 0.1];

/** Every text in at most `letters` letters. If cut texts are equal, a number is added. */
export function distinct(texts: string[], letters: number): string[] {
  const most = Math.max(5, letters);
  let best: string[] = texts, clashes = Infinity;
  for (const head of kHeads) {
    const short = texts.map(text => cut(text, most, head));
    const count = texts.length - new Set(short).size;
    if (count < clashes) [best, clashes] = [short, count];
    if (count === texts.length - new Set(texts).size) return short;
  }
  const seen = new Map<string, number>();
  return best.map(text => {
    const time = (seen.get(text) ?? 0) + 1;
    seen.set(text, time);
    return time === 1 ? text : `${text.slice(0, most - 3)}… ${time}`;
  });
}

let letter = 0;

/** The mean width of a letter of the charts in the reader's font. */
function letterWidth(): number {
  if (letter > 0) return letter;
  const sample = "Some name of a column (mm)",
    context = document.createElement("canvas").getContext("2d")!;
  context.font = `12px ${getComputedStyle(document.body).fontFamily}`;
  return (letter = context.measureText(sample).width / sample.length);
}

export const lettersIn = (width: number): number => Math.floor(width / letterWidth());

/** The last of the texts, from short to long, that fits into `width` pixels; else the first. */
export const shortened = (texts: string[], width: number): string =>
  texts.filter(text => text.length <= lettersIn(width)).at(-1) ?? texts[0];

/** A text that fits into `width` pixels. */
export const fitted = (text: string, width: number): string =>
  cut(text, Math.max(5, lettersIn(width)), 0.6);
