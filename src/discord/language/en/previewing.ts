import { pluralIn } from '#src/admin/language/plural.ts';
import { scenarios } from '#src/admin/language/scenarios.ts';

const plural = pluralIn('en');

/** The preview of a rule. */
export const previewing = {
  title: (rule: string) => `Preview: ${rule}`,
  nothingSent: 'Nothing was sent. Ids and addresses of new messages are placeholders.',
  noUser: (user: string, account: string) => `There is no user ${user} on ${account}. Correct the name in the rule.`,
  read: (count: string, counted: string, matching: number) =>
    `${count} read, ${counted} of them ${plural(matching, 'matches', 'match')} this rule.`,
  sample: { item: 'The list is empty: the preview uses an example item.', payload: 'The preview uses an example payload.' },
  ignoresIf: 'It ignores `if` of the rule.',
  ignores: (keys: string) => `The preview ignores ${keys}: a message can come later, or not at all.`,
  answersFirst: 'The preview answers each question with its first choice.',
  failed: (why: string) => `The poll failed: ${why}`,
  nothing: 'The rule would announce nothing.',
  silent: (why: string) => `Not announced: ${why}`,
  cut: '`npx fanfare preview` shows the rest.',
  scenarios,
  toMessage: 'edits the message',
  asked: 'read now',
  failedStep: (why: string) => `Not possible: ${why}`,
  skippedStep: (why: string) => `Skipped: ${why}`,
  shortened: 'The text is too long and is cut.',
  shortenedWarning: 'The content warning is too long and is cut.',
  cutCards: 'All cards of the message are too long together: their last fields and descriptions are cut.',
  foreignPing: (name: string) => `The message is sent without the mention ${name}: a text of the platform never pings all members.`,
  removesButtons: 'The edit removes all buttons: it has none that Discord accepts.',
  file: (path: string, why: string) => `The file ${path} cannot be sent: ${why}`,
  length: (length: string, most: string) => `${length} of ${most} characters`,
  lengthOf: (field: string, length: string, most: string) => `${field}: ${length} of ${most} characters`,
  pings: (names: string) => `pings ${names}`,
  onlyText: (names: string) => `no ping, only text: ${names}`,
  picture: 'picture',
};
