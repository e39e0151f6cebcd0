import { z } from 'zod';

/** What a person meets when they use a command or a component. */
export const SITUATIONS = {
  moderator: 'a member who can manage the server',
  member: 'a member without roles',
  outsider: 'the administrator of another server of the bot, in that server',
  stranger: 'the administrator of a server that is not configured, in that server',
  wrong: 'a moderator with wrong input',
  old: 'a button whose rule, delivery, post or entry no longer exists',
  lacking: 'the bot lacks permissions in the channel, or its role is too low',
  unreachable: 'the streaming and social platforms and the assistant cannot be reached',
  discordDown: 'Discord answers the reads of the bot with errors',
  deleted: 'the message is deleted while Fanfare answers',
  afterRestart: 'Fanfare restarts between the message and the click',
  restarting: 'Fanfare restarts between the click and the answer',
} as const;
export type Situation = keyof typeof SITUATIONS;

/** Where a person sees an answer. */
export const SHOWN = {
  private: 'only the person sees it',
  public: 'everyone in the channel sees it',
  'private update': 'it replaces the private message',
  'public update': 'it replaces the public message',
  form: 'a form opens',
  nothing: 'there is no answer',
} as const;
export type Shown = keyof typeof SHOWN;

/** What a person sees, and what changes. */
export const Outcome = z.strictObject({
  /** The first sentence of the answer, in English and in German. */
  en: z.string(),
  de: z.string(),
  shown: z.enum(Object.keys(SHOWN) as [Shown, ...Shown[]]), // Object.keys() returns string[]
  /** The actions in the audit log, other changed data, and sent messages; empty: nothing. */
  effect: z.array(z.string()).readonly(),
});
export type Outcome = z.output<typeof Outcome>;

/** A situation that cannot occur, with the reason. */
const Impossible = z.strictObject({ cannot: z.string() });

/** The outcomes of a command, a button, a menu or a form. */
export const Row = z.strictObject({
  /** `/follow add`, or the beginning of a custom id: `follow:undo`. */
  use: z.string(),
  outcomes: z.record(
    z.enum(Object.keys(SITUATIONS) as [Situation, ...Situation[]]), // likewise
    z.union([Outcome, Impossible]),
  ),
});
export type Row = z.output<typeof Row>;

/** The groups of the table: each has a file with its rows. */
export const GROUPS = {
  setup: 'Set-up of a server',
  follow: 'Followed streamers',
  search: 'Search',
  assistant: 'Assistant',
  automation: 'Automations',
  deliveries: 'Deliveries',
  messages: 'Messages of rules',
  posts: 'Posts',
} as const;
export type Group = keyof typeof GROUPS;
