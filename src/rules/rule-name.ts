/** The name of a rule from the id of one of its instances: `five-games` of `five-games/chess`. */
export function ruleNameOf(id: string): string {
  return id.split('/', 1)[0] ?? id;
}
