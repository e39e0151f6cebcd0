const LENGTH = 4;
const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';

/** Hashes of four characters for each name, to store a set of names. One in 16 million other names is found in a set of one. */
export function shortHashes(names: Iterable<string>): string {
  return [...new Set([...names].map(shortHash))].toSorted().join('');
}

/** Whether the set of `hashes` has the name. */
export function hasShortHash(hashes: string, name: string): boolean {
  const wanted = shortHash(name);
  for (let at = 0; at < hashes.length; at += LENGTH) if (hashes.startsWith(wanted, at)) return true;
  return false;
}

/** FNV-1a: it hashes every item of a poll, so it has to be fast. */
function shortHash(name: string): string {
  let hash = 0x81_1c_9d_c5;
  for (let index = 0; index < name.length; index++) hash = Math.imul(hash ^ name.charCodeAt(index), 0x01_00_01_93);
  const folded = (hash >>> 24) ^ (hash & 0xff_ff_ff);
  return [18, 12, 6, 0].map((bits) => ALPHABET.charAt((folded >>> bits) & 63)).join('');
}
