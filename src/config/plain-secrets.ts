/** The keys whose values are secrets. */
const SECRET_LINE = /\b(?:clientSecret|token|apiKey)["']?\s*:(.*)$/gmu;
/** Where the value ends, if others follow on the line. */
const NEXT_KEY = /,\s*["']?\w+["']?\s*:\s|\}\s*\}?\s*$/u;
const SHORTEST = 4;

/** What stands in a file where only the names of variables may: pieces of it could come up in what is told of the file. */
export function plainSecrets(source: string): readonly string[] {
  return [...source.matchAll(SECRET_LINE)].flatMap(([, rest = '']) => {
    const [value = ''] = rest.replaceAll(/\$\{\w*\}/gu, '').split(NEXT_KEY);
    return [value.trim(), ...value.split(/[\s,:{}[\]"'&*!|>]+/u)].filter((piece) => piece.length >= SHORTEST);
  });
}
