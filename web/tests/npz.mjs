// Model bundles as NumPy would write them: arrays in a ZIP archive without compression.
import { writeFileSync } from "node:fs";

function crc32(bytes) {
  let crc = ~0;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; ++bit) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0);
  }
  return ~crc >>> 0;
}

function npy(type, shape, bytes) {
  const text = `{'descr': '${type}', 'fortran_order': False, 'shape': (${
    shape.map(n => `${n},`).join(" ")
  }), }`;
  const head = text.padEnd(Math.ceil((text.length + 11) / 64) * 64 - 11) + "\n";
  const size = Buffer.alloc(2);
  size.writeUInt16LE(head.length);
  return Buffer.concat([Buffer.from("\x93NUMPY\x01\x00", "latin1"), size,
    Buffer.from(head, "latin1"), bytes]);
}

export function matrix(rows) {
  return npy("<f8", [rows.length, rows[0].length],
    Buffer.from(new Float64Array(rows.flat()).buffer));
}

export function texts(words, shape = [words.length]) {
  const longest = Math.max(...words.map(word => word.length));
  const letters = new Uint32Array(longest * words.length);
  words.forEach((word, i) =>
    [...word].forEach((letter, j) => (letters[i * longest + j] = letter.codePointAt(0)))
  );
  return npy(`<U${longest}`, shape, Buffer.from(letters.buffer));
}

/** Writes arrays by name. */
export function writeNpz(file, arrays) {
  const files = [], directory = [];
  let place = 0;
  for (const [key, content] of Object.entries(arrays)) {
    const name = Buffer.from(`${key}.npy`);
    const common = Buffer.alloc(26); // what both headers of a file have in common
    common.writeUInt16LE(20, 0);
    common.writeUInt16LE(0x21, 8); // the first of January 1980
    common.writeUInt32LE(crc32(content), 10);
    common.writeUInt32LE(content.length, 14);
    common.writeUInt32LE(content.length, 18);
    common.writeUInt16LE(name.length, 22);
    const local = Buffer.concat([Buffer.from("PK\x03\x04", "latin1"), common, name, content]);
    const tail = Buffer.alloc(14);
    tail.writeUInt32LE(place, 10);
    directory.push(Buffer.from("PK\x01\x02\x14\x00", "latin1"), common, tail, name);
    files.push(local);
    place += local.length;
  }
  const listing = Buffer.concat(directory), end = Buffer.alloc(18),
    count = Object.keys(arrays).length;
  end.writeUInt16LE(count, 4);
  end.writeUInt16LE(count, 6);
  end.writeUInt32LE(listing.length, 8);
  end.writeUInt32LE(place, 12);
  writeFileSync(file, Buffer.concat([...files, listing, Buffer.from("PK\x05\x06", "latin1"), end]));
}
