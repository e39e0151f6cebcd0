const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
const SEEDS = [0x81_1c_9d_c5, 0x5b_d1_e9_95] as const;

/** Hashes of four characters for each name, to store a set of names. One in 16 million other names is found in a set of one. */
export function shortHashes(names: Iterable<string>): string {
  return hashesOf(names, shortHash);
}

/** Whether the set of `hashes` has the name. */
export function hasShortHash(hashes: string, name: string): boolean {
  const wanted = shortHash(name);
  for (let at = 0; at < hashes.length; at += 4) if (hashes.startsWith(wanted, at)) return true;
  return false;
}

/** Hashes of eight characters for each name, to store a set of many thousand names. */
export function longHashes(names: Iterable<string>): string {
  return hashesOf(names, longHash);
}

/** Looks up names in a set that `longHashes` stored. */
export function longHashSet(hashes: string): (name: string) => boolean {
  const known = new Set<string>();
  for (let at = 0; at < hashes.length; at += 8) known.add(hashes.slice(at, at + 8));
  return (name) => known.has(longHash(name));
}

function hashesOf(names: Iterable<string>, hash: (name: string) => string): string {
  const all = new Set<string>();
  for (const name of names) all.add(hash(name));
  return [...all].toSorted().join('');
}

function longHash(name: string): string {
  return shortHash(name) + shortHash(name, SEEDS[1]);
}

/** FNV-1a: it hashes every item of a poll, so it has to be fast. */
function shortHash(name: string, seed: number = SEEDS[0]): string {
  let hash = seed;
  for (let index = 0; index < name.length; index++) hash = Math.imul(hash ^ name.charCodeAt(index), 0x01_00_01_93);
  const folded = (hash >>> 24) ^ (hash & 0xff_ff_ff);
  return (
    ALPHABET.charAt(folded >>> 18) +
    ALPHABET.charAt((folded >>> 12) & 63) +
    ALPHABET.charAt((folded >>> 6) & 63) +
    ALPHABET.charAt(folded & 63)
  );
}
