import type { SceneKind } from '#src/cli/preview-view.ts';

/** What happens; `name`: to whom, where it is about one. */
const scenes: Readonly<Record<SceneKind, (name: string | undefined) => string>> = {
  goesLive: (name = 'Somebody') => `${name} goes live`,
  enters: (name = 'Somebody') => `${name} enters the list`,
  isNew: (name = 'Something') => `${name} is new`,
  comes: (name = 'Somebody') => `${name} comes`,
  isThere: (name = 'Somebody') => `${name} is there`,
  leaves: (name = 'Somebody') => `${name} leaves`,
  moves: (name = 'Somebody') => `${name} moves`,
  changes: (name = 'Somebody') => `${name} changes`,
  rises: (name = 'Somebody') => `${name} rises`,
  falls: (name = 'Somebody') => `${name} falls`,
  slot: () => 'At each look',
  time: () => 'When its time comes',
  stays: (name = 'Somebody') => `${name} is still there`,
  ends: (name = 'Somebody') => `${name} is gone`,
  quietEnds: () => 'When the quiet hours end',
};

/** What a rule would say. */
export const previewing = {
  title: (rule: string) => `Preview: ${rule}`,
  nothingSent: 'Nothing was sent. Ids and addresses that come into being when something is sent are made up.',
  read: (count: string, counted: string) => `${count} read, ${counted} of them count for this rule.`,
  madeUp: 'Nobody is there: it is shown with somebody made up.',
  failed: (why: string) => `It could not be read: ${why}`,
  nothing: 'There is nothing that it would say something about.',
  silent: (why: string) => `Nothing is said: ${why}`,
  cut: 'There is more: `fanfare preview` shows all of it.',
  scenes,
  toMessage: 'changes the message',
  asked: 'really asked',
  failedStep: (why: string) => `Cannot be done: ${why}`,
  skippedStep: (why: string) => `Is skipped: ${why}`,
  shortened: 'The text is too long and is cut.',
  closed: (channel: string, why: string) => `#${channel} cannot be read: ${why}`,
  file: (path: string, why: string) => `The file ${path} cannot be sent: ${why}`,
  length: (length: string, most: string) => `${length} of ${most} characters`,
  lengthOf: (field: string, length: string, most: string) => `${field}: ${length} of ${most} characters`,
  pings: (names: string) => `pings ${names}`,
  onlyText: (names: string) => `only text there: ${names}`,
  picture: 'picture',
};
