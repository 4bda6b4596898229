// Names cut to fit without losing what tells them apart.

/** Cut in the middle, with `head` of the letters before the gap. */
function cut(text: string, letters: number, head: number): string {
  if (text.length <= letters) return text;
  const front = Math.min(letters - 2, Math.max(1, Math.round((letters - 1) * head)));
  return `${text.slice(0, front).trimEnd()}…${text.slice(text.length - (letters - 1 - front)).trimStart()}`;
}

const kHeads = [0.6, 0.4, 0.75, 0.25, 0.9, 0.1];

/** Every text in at most `letters` letters; texts that differ stay different, by a number where nothing else helps. */
export function distinct(texts: string[], letters: number): string[] {
  const most = Math.max(5, letters);
  let best: string[] = texts, clashes = Infinity;
  for (const head of kHeads) {
    const short = texts.map((text) => cut(text, most, head));
    const count = texts.length - new Set(short).size;
    if (count < clashes) [best, clashes] = [short, count];
    if (count === texts.length - new Set(texts).size) return short;
  }
  const seen = new Map<string, number>();
  return best.map((text) => {
    const time = (seen.get(text) ?? 0) + 1;
    seen.set(text, time);
    return time === 1 ? text : `${text.slice(0, most - 3)}… ${time}`;
  });
}

/** One text in `width` pixels at about `size` pixels per letter; the whole belongs into a title. */
export function fitted(text: string, width: number, size = 6.6): string {
  return cut(text, Math.max(5, Math.floor(width / size)), 0.6);
}

export const lettersIn = (width: number, size = 6.6) => Math.floor(width / size);
