import { z } from 'zod';
import { TOKEN_SCOPES } from './people.ts';
import { ROLES, type Role } from './actor.ts';
import { LIST_ACTIONS } from './list-declarations.ts';
import { POST_ACTIONS } from './post-declarations.ts';
import { REPLAY_INPUT } from './replay-input.ts';
import { SERVER_ACTIONS } from './server-declarations.ts';

/** What all front ends know of an action. */
export interface ActionDeclaration {
  /** One line, for lists of actions. */
  readonly summary: string;
  readonly needs: Role;
  readonly input: z.ZodObject;
  /** The input that names what the action changes; the log of actions is searched by it. */
  readonly target: string;
  /** Whether it only reads, so that nothing is logged. */
  readonly reads?: boolean;
  /** The action that undoes it. */
  readonly undo?: string;
  /** Whether its input or its result has a secret, so that neither is stored for repeats. */
  readonly hasSecret?: boolean;
}

const rule = z.string().min(1).max(200).describe('The id of a rule, or the name that all its instances share.');
const oneRule = rule.describe('The id of a rule, or of one instance of it.');
const revision = z
  .string()
  .max(100)
  .optional()
  .describe('The revision of the rule that the person saw. If it has another one, nothing is done.');
const delivery = z.string().min(1).max(100).describe('The id of a delivery.');

const account = z.string().min(1).max(200).describe('The name of an account.');
const person = z.string().min(1).max(200).describe('The id or the name of a person.');
const role = z.enum(ROLES).describe('The role.');
const password = z.string().min(1).max(1000).describe('The password: at least 12 characters.');

const after = z.int().min(1).optional().describe('The number of the version in force. If it is another one, nothing is published.');
/** What the list of versions shows of a publication. */
const publication = {
  publisher: z
    .string()
    .min(1)
    .max(200)
    .optional()
    .describe('The publisher in the list of versions, for example the name of a CI job. Default: the actor.'),
  note: z.string().max(1000).optional().describe('A note for the list of versions.'),
};

/** All actions. Each has one implementation, which Discord, the command line, the HTTP API and the page call. */
export const ACTIONS = {
  pauseRule: {
    summary: 'Pause a rule',
    needs: 'editor',
    input: z.object({
      rule,
      from: z.date().optional().describe('When the pause begins. Default: at once.'),
      until: z.date().optional().describe('When the rule resumes automatically.'),
      revision,
    }),
    target: 'rule',
    undo: 'resumeRule',
  },
  resumeRule: {
    summary: 'Resume a rule',
    needs: 'editor',
    input: z.object({
      rule,
      planned: z.boolean().optional().describe('Whether to cancel the planned pauses of the rule instead. Default: no.'),
      revision,
    }),
    target: 'rule',
    undo: 'pauseRule',
  },
  runRule: { summary: 'Run a rule now', needs: 'editor', input: z.object({ rule: oneRule }), target: 'rule' },
  announceItem: {
    summary: 'Announce an item that was live before the rule followed it',
    needs: 'editor',
    input: z.object({
      rule: oneRule,
      item: z
        .string()
        .min(1)
        .max(500)
        .describe('The key of the item. A rule with `people` has the key `list/server/id`, for example `followed/1234/ada`.'),
    }),
    target: 'rule',
  },
  testRule: { summary: 'Run the tests of a rule', needs: 'viewer', input: z.object({ rule }), target: 'rule', reads: true },
  previewRule: {
    summary: 'Preview the messages of a rule',
    // Each preview polls the platforms, and some bill each request.
    needs: 'editor',
    input: z.object({ rule, items: z.int().min(1).max(10).describe('The number of items.') }),
    target: 'rule',
    reads: true,
  },
  replayRule: {
    summary: 'Replay the recorded polls of a rule',
    // It takes seconds of CPU time.
    needs: 'editor',
    input: z.object({ rule, ...REPLAY_INPUT }),
    target: 'rule',
    reads: true,
  },
  setValue: {
    summary: 'Set a stored value of a rule',
    needs: 'editor',
    input: z.object({
      rule: oneRule,
      name: z.string().min(1).max(64).describe('The name of the value in `keep`.'),
      value: z
        .union([z.number(), z.boolean(), z.string().max(2000), z.array(z.string().max(2000)).max(100)])
        .describe('The new value. It has the type of the start value in the rule.'),
      revision,
    }),
    target: 'rule',
    undo: 'setValue',
  },
  resendDelivery: { summary: 'Send a failed delivery again', needs: 'editor', input: z.object({ delivery }), target: 'delivery' },
  resolveDelivery: {
    summary: 'Decide whether an unknown delivery was sent',
    needs: 'editor',
    input: z.object({ delivery, resolution: z.enum(['sent', 'again']).describe('`sent`: it is on the platform. `again`: send it again.') }),
    target: 'delivery',
  },
  answerDelivery: {
    summary: 'Answer a question of a rule',
    needs: 'editor',
    input: z.object({
      delivery,
      choice: z.string().min(1).max(80).describe('One of the choices of the question.'),
      text: z.string().trim().min(1).max(2000).optional().describe('A free text, which rules read beside the choice.'),
    }),
    target: 'delivery',
  },
  muteItem: {
    summary: 'Suppress further announcements of an item until its episode ends',
    needs: 'editor',
    input: z.object({ delivery: delivery.describe('The id of a delivery of the item.') }),
    target: 'delivery',
  },
  publishVersion: {
    summary: 'Publish all rules as a new version',
    needs: 'editor',
    input: z.object({
      after: z
        .int()
        .min(0)
        .describe(
          'The number of the version that the files were compared with; 0 if there is none. If another version is in force, nothing is published.',
        ),
      files: z
        .array(
          z.object({
            file: z.string().min(1).max(500).describe('The path in the rules folder.'),
            source: z.string().max(262_144).describe('The text.'),
          }),
        )
        .max(20_000)
        .describe('All rule files and test files. Rules in other files are deleted, except for those that members approved in Discord.'),
      ...publication,
    }),
    target: 'after',
    undo: 'rollBackVersion',
  },
  rollBackVersion: {
    summary: 'Publish an earlier version again',
    needs: 'editor',
    input: z.object({
      version: z.coerce.number<string | number>().int().min(1).describe('The number of a stored version.'),
      after,
      ...publication,
    }),
    target: 'version',
    undo: 'rollBackVersion',
  },
  deleteRule: {
    summary: 'Delete a rule that a member approved in Discord',
    needs: 'editor',
    input: z.object({ rule, after, ...publication }),
    target: 'rule',
    undo: 'rollBackVersion',
  },
  ...LIST_ACTIONS,
  ...POST_ACTIONS,
  ...SERVER_ACTIONS,
  signInAccount: {
    summary: 'Sign in to an account',
    needs: 'admin',
    input: z.object({
      account,
      password: z.string().min(1).max(1000).optional().describe('The app password, for platforms with passwords.'),
      channel: z
        .boolean()
        .optional()
        .describe('Whether to sign in to the channel of the account, with a code that a person enters on the platform.'),
      port: z.int().min(1).max(65_535).default(8082).describe('The port of the callback URL, for platforms that use a browser.'),
    }),
    target: 'account',
    undo: 'signOutAccount',
    hasSecret: true,
  },
  confirmAccount: {
    summary: 'Finish a sign-in in the browser',
    needs: 'admin',
    input: z.object({
      account,
      address: z.string().min(1).max(4000).describe('The address of the last page in the browser, which begins with the callback URL.'),
    }),
    target: 'account',
    undo: 'signOutAccount',
    hasSecret: true,
  },
  signOutAccount: {
    summary: 'Sign out of an account',
    needs: 'admin',
    input: z.object({ account }),
    target: 'account',
    undo: 'signInAccount',
  },
  createToken: {
    summary: 'Create a token of the HTTP API',
    needs: 'admin',
    input: z.object({
      name: z.string().trim().min(1).max(64).describe('What uses the token.'),
      scope: z.enum(TOKEN_SCOPES).describe('The rights of the token.'),
      expiresAt: z.date().optional().describe('When the token expires. Absent: never.'),
    }),
    target: 'name',
    undo: 'revokeToken',
    hasSecret: true,
  },
  revokeToken: {
    summary: 'Make a token invalid',
    needs: 'admin',
    input: z.object({ token: z.string().min(1).max(100).describe('The id of a token.') }),
    target: 'token',
  },
  addPerson: {
    summary: 'Add a person who signs in with a password',
    needs: 'admin',
    input: z.object({ name: z.string().min(1).max(64).describe('The name.'), role, password }),
    target: 'name',
    undo: 'removePerson',
    hasSecret: true,
  },
  changeRole: { summary: 'Change the role of a person', needs: 'admin', input: z.object({ person, role }), target: 'person' },
  changePassword: {
    summary: 'Set a new password, and sign the person out everywhere',
    needs: 'admin',
    input: z.object({ person, password }),
    target: 'person',
    hasSecret: true,
  },
  removePerson: { summary: 'Remove a person', needs: 'admin', input: z.object({ person }), target: 'person' },
  signOutPerson: { summary: 'Sign a person out everywhere', needs: 'admin', input: z.object({ person }), target: 'person' },
} as const satisfies Readonly<Record<string, ActionDeclaration>>;

/** The entries of the log of actions that the sign-in writes. */
export const SIGN_IN_ENTRIES = ['signIn', 'signOutEverywhere', 'createFirstAdmin'] as const;

export type ActionName = keyof typeof ACTIONS;
export type ActionInput<Name extends ActionName> = z.output<(typeof ACTIONS)[Name]['input']>;
