import type { ScenarioKind } from '#src/engine/simulation/preview/preview-view.ts';

/** The headings of the scenarios of a preview. */
const scenes: Readonly<Record<ScenarioKind, (name: string | undefined) => string>> = {
  goesLive: (name = 'A stream') => `${name} goes live`,
  enters: (name = 'An item') => `${name} enters the list`,
  isNew: (name = 'An item') => `${name} is new`,
  comes: (name = 'An item') => `${name} comes`,
  isThere: (name = 'An item') => `${name} is there`,
  leaves: (name = 'An item') => `${name} leaves`,
  moves: (name = 'An item') => `${name} moves`,
  changes: (name = 'An item') => `${name} changes`,
  rises: (name = 'An item') => `${name} rises`,
  falls: (name = 'An item') => `${name} falls`,
  slot: () => 'At each poll',
  time: () => 'At the scheduled time',
  used: (name = 'The command') => `${name} is used`,
  stays: (name = 'An item') => `${name} is still there`,
  repeats: (name = 'An item') => `${name} is still there at a multiple of every`,
  ends: (name = 'An item') => `${name} is gone`,
  quietEnds: () => 'When the quiet hours end',
  limitEnds: () => 'When the limit allows a further announcement',
  gathers: () => 'When enough is gathered',
};

/** The preview of a rule. */
export const previewing = {
  title: (rule: string) => `Preview: ${rule}`,
  nothingSent: 'Nothing was sent. Ids and addresses of new messages are placeholders.',
  noUser: (user: string, account: string) => `There is no user ${user} on ${account}. Correct the name in the rule.`,
  read: (count: string, counted: string) => `${count} read, ${counted} of them match this rule.`,
  madeUp: 'The list is empty: the preview uses an example item.',
  failed: (why: string) => `The poll failed: ${why}`,
  nothing: 'The rule would announce nothing.',
  silent: (why: string) => `Not announced: ${why}`,
  cut: '`fanfare preview` shows the rest.',
  scenes,
  toMessage: 'edits the message',
  asked: 'read now',
  failedStep: (why: string) => `Not possible: ${why}`,
  skippedStep: (why: string) => `Skipped: ${why}`,
  shortened: 'The text is too long and is cut.',
  file: (path: string, why: string) => `The file ${path} cannot be sent: ${why}`,
  length: (length: string, most: string) => `${length} of ${most} characters`,
  lengthOf: (field: string, length: string, most: string) => `${field}: ${length} of ${most} characters`,
  pings: (names: string) => `pings ${names}`,
  onlyText: (names: string) => `no ping, only text: ${names}`,
  picture: 'picture',
};
