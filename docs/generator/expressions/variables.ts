import type { ScopeKind } from '#src/rules/expression/scopes.ts';
import type { Evaluation } from './entries.ts';

/** A variable, or a field of one. */
export interface VariableEntry {
  /** The name, for example `item` or `episode.lengthMs`. */
  readonly name: string;
  readonly meaning: string;
  readonly examples: readonly Evaluation[];
}

/** The sites of expressions, and the keys of a rule that have them. */
export const SITES: readonly { readonly kind: ScopeKind | 'element'; readonly name: string; readonly keys: string }[] = [
  {
    kind: 'fixed',
    name: 'load',
    keys: 'values of `when` except `where` and `key`, of `quiet`, `limit` and `gather` except their steps, and of `as`',
  },
  { kind: 'item', name: 'item', keys: '`when.where`, `when.key`' },
  { kind: 'firing', name: 'firing', keys: '`if` and `keep` of the rule' },
  { kind: 'step', name: 'step', keys: '`with`, `if` and `forEach` of steps in `then`, `while` and `finally`' },
  { kind: 'element', name: 'element', keys: '`with` and `if` of steps with `forEach`' },
  { kind: 'quiet', name: 'quiet', keys: '`with`, `if` and `forEach` of steps in `quiet.then`, `limit.then` and `gather.then`' },
];

/** All variables of expressions and their fields. */
export const VARIABLES: readonly VariableEntry[] = [
  {
    name: 'item',
    meaning:
      'The item that the firing is about: a record of the operation in `watch`, or, with `webhook`, the `fields` of the payload. In `where` and `key`, the item to test. With several accounts in `when.account`, it has the field `account`. Except in `where` and `key`, it then also has `accounts`: a list with `account`, `platform`, `id`, `url`, `title`, `viewerCount` and `startedAt` for each account that has an item with this key.',
    examples: [{ expression: 'item.title', result: 'Speedrun: 100%' }],
  },
  {
    name: 'item.rank',
    meaning: 'The position of the item in the list, from 1. Not available in `where` and `key`.',
    examples: [{ expression: 'item.rank', result: 1 }],
  },
  {
    name: 'previous',
    meaning: 'The item in the poll before. Its texts are empty and its numbers absent if the item is new.',
    examples: [
      { expression: 'previous.title', result: '' },
      { expression: 'previous.viewerCount.orValue(0)', result: 0 },
    ],
  },
  {
    name: 'change',
    meaning: 'The change that fires. Empty in `while`.',
    examples: [{ expression: 'change.kind == "entered"', result: true }],
  },
  {
    name: 'change.kind',
    meaning: 'The kind of the change: `entered`, `left`, `moved`, `changed`, `rose` or `fell`.',
    examples: [{ expression: 'change.kind', result: 'entered' }],
  },
  { name: 'change.item', meaning: 'The item.', examples: [{ expression: 'change.item.title', result: 'Speedrun: 100%' }] },
  { name: 'change.previous', meaning: 'The item in the poll before.', examples: [{ expression: 'change.previous.title', result: '' }] },
  { name: 'change.rank', meaning: 'The rank of the item.', examples: [{ expression: 'change.rank.orValue(0)', result: 1 }] },
  {
    name: 'change.from',
    meaning: 'The rank before the change. Absent for a new item.',
    examples: [{ expression: 'change.from.orValue(0)', result: 0 }],
  },
  {
    name: 'change.to',
    meaning: 'The rank after the change. Absent for an item that left.',
    examples: [{ expression: 'change.to.orValue(0)', result: 1 }],
  },
  {
    name: 'change.threshold',
    meaning: 'The threshold of `rose` or `fell` that the number passed; if it passed several in one poll, the last one.',
    examples: [{ expression: 'change.threshold.orValue(0.0)', result: 0 }],
  },
  {
    name: 'change.previousThreshold',
    meaning: 'The last threshold that the number was past before the change. Absent if it was past none.',
    examples: [{ expression: 'change.previousThreshold.orValue(0.0)', result: 0 }],
  },
  {
    name: 'episode',
    meaning: 'The time from the first poll with the item to the last.',
    examples: [{ expression: 'episode.polls', result: 125 }],
  },
  { name: 'episode.id', meaning: 'The id of the episode.', examples: [{ expression: 'episode.id', result: '1' }] },
  {
    name: 'episode.open',
    meaning:
      'Whether the episode is open when the condition or the step is evaluated. In a step behind a `wait`, it is false if the item is gone by then; all other values are those of the firing.',
    examples: [{ expression: 'episode.open ? "LIVE" : "was live"', result: 'LIVE' }],
  },
  {
    name: 'episode.returned',
    meaning: 'Whether the item is back after an end of the episode, whose `finally` closed a card or removed a role.',
    examples: [{ expression: 'episode.returned', result: false }],
  },
  {
    name: 'episode.startedAt',
    meaning: 'The start of the episode: of a stream its start, else the first poll with the item.',
    examples: [{ expression: 'date(episode.startedAt, "UTC", "time")', result: '3:55 PM' }],
  },
  {
    name: 'episode.lengthMs',
    meaning: 'The time from the start of the episode to the last poll with the item, in milliseconds.',
    examples: [{ expression: 'duration(episode.lengthMs)', result: '2h 5m' }],
  },
  { name: 'episode.polls', meaning: 'The number of polls with the item.', examples: [{ expression: 'episode.polls', result: 125 }] },
  {
    name: 'episode.peak',
    meaning: 'The greatest value of each numeric field of the item.',
    examples: [{ expression: 'compact(episode.peak.viewerCount)', result: '6.1K' }],
  },
  {
    name: 'episode.games',
    meaning: 'The names of the games of the item in their order, at most 25. Empty if the record has no game.',
    examples: [{ expression: 'join(episode.games, ", ")', result: 'Celeste, Chess' }],
  },
  {
    name: 'episode.steps',
    meaning:
      'The results of earlier firings of `then` in the same episode: `episode.steps.<id>`, with `own` and `on` as in `steps`. It is the last result of the step that was sent, and empty before the first one. Not available in `if` of the rule, and for steps with `forEach`.',
    examples: [{ expression: 'episode.steps.post.url', result: 'https://example.social/@ada/7' }],
  },
  {
    name: 'episode.average',
    meaning:
      'The average of each numeric field of the item over the polls that had it. Absent if Fanfare has no number, for example because the rule did not read it before.',
    examples: [
      { expression: 'compact(episode.average.viewerCount)', result: '4.8K' },
      { expression: 'int(episode.average.viewerCount.orValue(0.0) + 0.5)', result: 4813 },
    ],
  },
  {
    name: 'episode.atPeak',
    meaning: 'The greatest value of each numeric field: when the item reached it first (`at`), and the item of that poll (`item`).',
    examples: [
      { expression: 'episode.atPeak.viewerCount.item.game.name', result: 'Celeste' },
      { expression: 'date(episode.atPeak.viewerCount.at, "UTC", "time")', result: '4:40 PM' },
    ],
  },
  {
    name: 'episode.spans',
    meaning:
      'The games of the item, each with its name (`value`), its start (`from`), its end (`to`) and its length in milliseconds (`lengthMs`). A game counts after it held for `settle`, and a game that returns has another span. At most the last 100. Empty if the record has no game.',
    examples: [{ expression: 'episode.spans.map(s, s.value + " " + duration(s.lengthMs))', result: ['Celeste 1h 5m', 'Chess 1h'] }],
  },
  {
    name: 'items',
    meaning: 'All items of the poll that fit `where` and `take`, in the order of the list, each with its `rank`.',
    examples: [{ expression: 'items.map(i, i.owner.displayName).join(", ")', result: 'Ada, Grace' }],
  },
  {
    name: 'changes',
    meaning:
      'All changes of the poll, by kind: `changes.entered`, `changes.left`, `changes.moved`, `changes.changed`, `changes.rose`, `changes.fell`. Each element has the fields of `change`.',
    examples: [{ expression: 'changes.entered.map(c, c.item.owner.displayName)', result: ['Ada'] }],
  },
  {
    name: 'keep',
    meaning:
      'The stored values of the rule: `keep.<name>`. `if` and `keep` read the values before the firing, the steps of `then` those after it, and the steps of `while`, `finally` and `quiet` those before the slot. Only in rules with `keep`.',
    examples: [{ expression: 'keep.streams', result: 12 }],
  },
  {
    name: 'command',
    meaning: 'The use of the slash command. Only in rules with `command`.',
    examples: [{ expression: 'command.options.streamer', result: 'ada' }],
  },
  { name: 'command.id', meaning: 'The id of the use.', examples: [{ expression: 'command.id', result: '1' }] },
  { name: 'command.name', meaning: 'The name of the command.', examples: [{ expression: 'command.name', result: 'schedule' }] },
  {
    name: 'command.options',
    meaning:
      'The values of the options: `command.options.<name>`. A value of the type `user` has the fields of `command.user`, and one of the type `channel` those of `command.channel`. Without `required`, a value may be missing: then its text is empty and its number absent.',
    examples: [{ expression: 'command.options["streamer"]', result: 'ada' }],
  },
  {
    name: 'command.user',
    meaning: 'The member, with `id`, `handle` and `displayName`.',
    examples: [{ expression: 'command.user.displayName', result: 'Grace' }],
  },
  {
    name: 'command.channel',
    meaning: 'The channel in which the member used the command, with `id` and `name`.',
    examples: [{ expression: 'command.channel.name', result: 'general' }],
  },
  { name: 'command.server', meaning: 'The id of the Discord server.', examples: [{ expression: 'command.server', result: '2' }] },
  {
    name: 'command.locale',
    meaning: 'The language of the member in Discord.',
    examples: [{ expression: 'command.locale', result: 'en-US' }],
  },
  {
    name: 'steps',
    meaning:
      'The results of earlier steps: `steps.<id>`. See the operation for its result. A step with `forEach` has a list with one result for each element.',
    examples: [{ expression: 'steps.post.url', result: 'https://example.social/@ada/7' }],
  },
  {
    name: 'steps.<id>.items',
    meaning: 'The records of a step that reads a list.',
    examples: [{ expression: 'steps.vods.items.size()', result: 0 }],
  },
  {
    name: 'steps.<id>.gone',
    meaning:
      'Whether the platform answered that it does not have the record of a look-up of one record, for example a deleted post. Any other failure is not gone: the look-up fails.',
    examples: [{ expression: 'steps.still.gone', result: false }],
  },
  {
    name: 'steps.<id>.own',
    meaning: 'The result of the same account. `steps.<id>` is the result of the first account.',
    examples: [{ expression: 'steps.post.own.id', result: '7' }],
  },
  {
    name: 'steps.<id>.on',
    meaning: 'The result of one account: `steps.<id>.on.<account>`.',
    examples: [{ expression: 'steps.post.on.mastodon.url', result: 'https://example.social/@ada/7' }],
  },
  { name: 'it', meaning: 'The element of the list in `forEach`.', examples: [{ expression: 'it', result: 'Speedrun' }] },
  { name: 'index', meaning: 'The position of the element, from 0.', examples: [{ expression: 'index + 1', result: 2 }] },
  {
    name: 'held',
    meaning:
      'The firings that `quiet` or `limit` deferred, or that `gather` collected, the oldest first. Each has the fields of `change`, `episode` and `open`. In `quiet`, `item` is as last seen; in `limit` and `gather`, it is as it was at the firing.',
    examples: [{ expression: 'held.map(h, h.item.owner.displayName)', result: ['Ada'] }],
  },
  {
    name: 'held[].open',
    meaning: 'Whether the episode is still open when the steps run.',
    examples: [{ expression: 'held.filter(h, h.open).size()', result: 1 }],
  },
  { name: 'rule', meaning: 'The rule.', examples: [{ expression: 'rule.id', result: 'live-card' }] },
  { name: 'rule.id', meaning: 'The id of the rule.', examples: [{ expression: 'rule.id', result: 'live-card' }] },
  {
    name: 'rule.about',
    meaning: 'The text in `about`.',
    examples: [{ expression: 'rule.about', result: 'Posts a card when Ada goes live.' }],
  },
  {
    name: 'now',
    meaning: 'The time of the poll or slot. In a step: that time plus the waits above the step.',
    examples: [{ expression: 'date(now, "UTC", "time")', result: '6:00 PM' }],
  },
  { name: 'vars', meaning: 'The constants in `vars`, if the rule has them.', examples: [{ expression: 'vars.least', result: 100 }] },
  {
    name: 'vars.lines[?item.owner.handle]',
    meaning: 'The value of a map in `vars` or `each` under a key that is computed. It is absent if the map has no such key.',
    examples: [
      { expression: 'vars.lines[?item.owner.handle].orValue("is live")', result: 'Queen!' },
      { expression: 'vars.lines[?item.game.name].orValue("is live")', result: 'is live' },
    ],
  },
  {
    name: 'lists',
    meaning:
      'The [lists](../guides/lists.md) of the installation, each with its entries in the order of their ids. An entry has `id` and its fields; `server` is the id of the Discord server of a list of that server.',
    examples: [{ expression: 'lists.team.map(p, p.id)', result: ['ada', 'grace'] }],
  },
  {
    name: 'lists.team[?item.owner.handle]',
    meaning:
      'The entry of a list with an id. It is absent if the list has no such entry. A field that the entry lacks is absent too. If several servers have the id, it is the entry of the installation, then of the first server.',
    examples: [
      { expression: 'lists.team[?item.owner.handle].line.orValue("is live")', result: 'Queen to {game}!' },
      { expression: 'lists.team[?"grace"].line.orValue("is live")', result: 'is live' },
    ],
  },
  {
    name: 'each',
    meaning: 'The values of `each` for this rule, if it has `each`.',
    examples: [{ expression: 'each.on.channel', result: 'chess' }],
  },
];
