import { OF_ITEM, OF_LIST } from '../scopes.ts';

/** How the steps with `held` read the values of firings about one item. */
const IN_HELD: Readonly<Record<string, string>> = {
  item: 'write held.map(h, h.item.id), with any field of the item',
  previous: 'write held.map(h, h.previous.id), with any field of the item',
  change: 'write held.map(h, h.kind), with any field of the change',
  episode: 'write held.map(h, h.episode.lengthMs), with any field of the episode',
  items: 'write held.map(h, h.item)',
  changes: 'write held, whose elements are changes',
};

/** The sites that have a variable. */
const ONLY: Readonly<Record<string, string>> = {
  held: 'only the steps of quiet, limit and gather have held',
  it: 'only a step with forEach has it',
  index: 'only a step with forEach has index',
  command: 'only a rule with command has command',
  keep: 'only a rule with keep has keep',
  vars: 'only a rule with vars has vars',
  each: 'only a rule with each has each',
};

/** The names that the `if` of a rule reads, in addition to those of `where`. */
const OF_FIRING = [...OF_ITEM, ...OF_LIST, 'rule', 'now', 'keep', 'command'];

/** Why a variable of rules is not among the names of a site, and what to write; undefined: it is no variable of rules. */
export function unavailableHint(name: string, names: readonly string[]): string | undefined {
  const has = (one: string): boolean => names.includes(one);
  if (has('held')) return (Object.hasOwn(IN_HELD, name) ? IN_HELD[name] : undefined) ?? onlyHint(name);
  if (!has('rule')) return has('item') ? itemSiteHint(name) : fixedSiteHint(name);
  if (name === 'steps') return 'steps run after if and keep of the rule: write if in a step';
  const isOfList = [...OF_ITEM, ...OF_LIST].includes(name);
  if (!isOfList || has('items')) return onlyHint(name);
  if (has('command')) return `a rule that answers a command has no ${name}: write command.options.<name>`;
  return has('item') ? `a rule that a webhook starts has no ${name}: write item` : `a rule without watch has no ${name}: add watch to when`;
}

function onlyHint(name: string): string | undefined {
  return Object.hasOwn(ONLY, name) ? ONLY[name] : undefined;
}

function itemSiteHint(name: string): string | undefined {
  if (name === 'rule') return 'there is no rule in where and key: write the id of the rule as text, or the condition as if of the rule';
  if (name === 'steps') return 'steps run after where and key: write if in a step';
  return OF_FIRING.includes(name) ? `there is no ${name} in where and key: write the condition as if of the rule` : onlyHint(name);
}

function fixedSiteHint(name: string): string | undefined {
  return [...OF_FIRING, 'steps'].includes(name)
    ? `this value is fixed when the rule loads, so it has no ${name}: it can read vars, each and lists`
    : onlyHint(name);
}
