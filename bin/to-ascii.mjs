// Rewrites the chunks of a build. V8 stores a source with a character beyond Latin-1 in two bytes per character, and decodes ASCII fastest.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';

const DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
/** One UTF-16 unit, because an escape has four digits. */
const BEYOND_ASCII = /[^\0-\u007F]/g;
/** The length of `\u1234` beyond that of the character. */
const ADDED = 5;

/**
 * Escapes all other characters in the chunks of a folder and moves the columns of their source maps. The maps keep a copy of those
 * sources that `keepsSource` accepts.
 */
export function writeAsAscii(folder, { keepsSource }) {
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((entry) => entry.endsWith('.js'))) {
    const [chunk, map] = [`${folder}/${name}`, `${folder}/${name}.map`];
    const code = readFileSync(chunk, 'utf8');
    writeFileSync(chunk, code.replace(BEYOND_ASCII, escape));
    const { sourcesContent, ...rest } = readMap(map) ?? {};
    if (rest.mappings === undefined) continue;
    const copies = rest.sources.map((source, index) => (keepsSource(source) ? sourcesContent[index] : null));
    const kept = copies.some((copy) => copy !== null) ? { sourcesContent: copies } : {};
    writeFileSync(map, JSON.stringify({ ...rest, ...kept, mappings: moveColumns(rest.mappings, code) }));
  }
}

function escape(unit) {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

/** A chunk without sources, such as the runtime of the bundler, has no map. */
function readMap(path) {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch (error) {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  }
}

function moveColumns(mappings, code) {
  const lines = code.split('\n');
  return mappings
    .split(';')
    .map((segments, index) => moveInLine(segments, lines[index] ?? ''))
    .join(';');
}

/** Only the first number of a segment, the distance to the column of the segment before, changes. */
function moveInLine(segments, line) {
  const places = [...line.matchAll(BEYOND_ASCII)].map((match) => match.index);
  if (places.length === 0 || segments === '') return segments;
  let [column, movedBefore, passed] = [0, 0, 0];
  return segments
    .split(',')
    .map((segment) => {
      const [distance, length] = decode(segment);
      column += distance;
      while (passed < places.length && places[passed] < column) passed += 1;
      const moved = column + passed * ADDED;
      const text = encode(moved - movedBefore) + segment.slice(length);
      movedBefore = moved;
      return text;
    })
    .join(',');
}

/** The first number of a segment (base64 VLQ), and the count of its digits. */
function decode(segment) {
  let [value, shift, length] = [0, 0, 0];
  for (;;) {
    const digit = DIGITS.indexOf(segment[length]);
    length += 1;
    value += (digit & 31) << shift;
    shift += 5;
    if ((digit & 32) === 0) return [value & 1 ? -(value >> 1) : value >> 1, length];
  }
}

function encode(number) {
  let rest = number < 0 ? (-number << 1) | 1 : number << 1;
  let text = '';
  do {
    const digit = rest & 31;
    rest >>= 5;
    text += DIGITS[rest > 0 ? digit | 32 : digit];
  } while (rest > 0);
  return text;
}
