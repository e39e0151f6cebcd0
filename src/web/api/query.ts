import { z } from 'zod';
import { ACTIONS, SIGN_IN_ENTRIES, type ActionName } from '#src/admin/actions/declarations.ts';
import { DELIVERY_STATES } from '#src/engine/delivery/delivery.ts';
import { LISTED_STATES } from '#src/admin/queries/rule-page.ts';
import { OUTCOMES } from '#src/rules/decision.ts';

const rule = z.string().min(1).max(200).describe('Only items of the rule with this id.').optional();
/** An instant of a query, with a time zone. */
const instant = z.iso
  .datetime({ offset: true, error: 'expected an instant with a time zone, for example 2026-11-20T18:00:00Z' })
  .transform((text) => new Date(text));
const limit = z.string().regex(/^([1-9]\d?|100)$/, 'expected a whole number from 1 to 100');
const slice = {
  cursor: z.string().min(1).max(2000).describe('The `cursor` of the previous page.').optional(),
  limit: limit
    .default('50')
    .transform(Number)
    // Clients send a number; the text form is that of a query.
    .meta({ description: 'The number of items in a page.', type: 'integer', minimum: 1, maximum: 100, default: 50 }),
};

/** The parameters of `/api/rules`. */
export const RuleListParams = params({
  text: z.string().max(200).describe('Only rules whose id, description or file has this text, with or without this case.').optional(),
  state: oneOf(LISTED_STATES)
    .describe(
      'Only rules in this state. `failing`: the rule runs, and some of its deliveries failed or are unknown. `broken`: its file has errors, and the last version without errors may run.',
    )
    .optional(),
  page: z
    .string()
    .regex(/^[1-9]\d{0,6}$/u, 'expected a whole number from 1')
    .transform(Number)
    .meta({ description: 'The number of the page. A number above the last page is the last page.', type: 'integer', minimum: 1 })
    .optional(),
  limit: limit
    .transform(Number)
    .meta({ description: 'The number of rules on a page. Default: 100.', type: 'integer', minimum: 1, maximum: 100 })
    .optional(),
});

/** The parameters of `/api/decisions`. */
export const DecisionParams = params({
  rule,
  outcome: oneOf(OUTCOMES).describe('Only decisions with this outcome.').optional(),
  text: z
    .string()
    .min(1)
    .max(200)
    .describe('Only decisions whose message has this text, for example a name, in any letter case. Only with `rule`.')
    .optional(),
  ...slice,
}).refine((query) => query.text === undefined || query.rule !== undefined, { path: ['text'], error: 'expected together with rule' });

/** The parameters of `/api/rules/{rule}/episodes`. */
export const EpisodeParams = params(slice);

const deliveryFilters = {
  rule,
  item: z.string().min(1).max(500).describe('Only deliveries about the item with this key, for example `twitch/1202584`.').optional(),
  account: z.string().min(1).max(200).describe('Only deliveries through this account.').optional(),
  state: oneOf(DELIVERY_STATES).describe('Only deliveries in this state. `sent` does not include steps that only read.').optional(),
  text: z
    .string()
    .max(200)
    .regex(/[\p{L}\p{N}]/u, 'expected at least one word')
    .describe('Only deliveries whose texts have all these words, in any order. Case does not matter.')
    .optional(),
  since: instant.meta({ description: 'Only deliveries decided at this instant or later.' }).optional(),
  until: instant.meta({ description: 'Only deliveries decided before this instant.' }).optional(),
  order: oneOf(['newest', 'oldest']).describe('Which delivery is first. Default: newest.').optional(),
};

/** The parameters of `/api/deliveries`. */
export const DeliveryParams = params({ ...deliveryFilters, ...slice });

/** The parameters of `/api/deliveries/export`. */
export const DeliveryExportParams = params({
  ...deliveryFilters,
  format: z.enum(['csv', 'json']).default('csv').describe('`csv`: a row for each delivery. `json`: an array of deliveries as in the list.'),
});

/** The parameters of `/api/explanations`. */
export const ExplanationParams = params({
  item: z
    .string()
    .min(1)
    .max(500)
    .describe('The handle, the display name or the key of a streamer, a post or a clip. Case does not matter.'),
  limit: slice.limit.meta({ description: 'The largest number of episodes and of decisions for one rule.' }),
});

/** The parameters of `/api/actions`. */
export const ActionParams = params({
  target: z.string().min(1).max(200).describe('Only actions on this rule, delivery, person, token, account or version.').optional(),
  action: oneOf([...(Object.keys(ACTIONS) as ActionName[]), ...SIGN_IN_ENTRIES]) // the keys of a constant
    .describe('Only this action.')
    .optional(),
  ...slice,
});

/** The parameters of `/api/events`. */
export const EventParams = params({
  after: z
    .string()
    .min(1)
    .max(100)
    .describe('The id of the last event that you know, if your client cannot send `Last-Event-ID`, which has precedence.')
    .optional(),
});

const ofServer = z
  .string()
  .regex(/^\d{1,25}$/u, 'expected the id of a Discord server')
  .describe('The id of a Discord server. Absent: the list of the installation.')
  .optional();

/** The parameters of one list. */
export const ListParams = params({ server: ofServer });

/** The parameters of `/api/list-changes`. */
export const ListChangeParams = params({
  list: z.string().min(1).max(64).describe('Only changes of the list with this name.').optional(),
  server: z
    .string()
    .regex(/^(?:\d{1,25}|installation)$/u, 'expected the id of a Discord server, or installation')
    .describe('Only changes of lists of this Discord server; `installation`: only those of the lists of the installation.')
    .optional(),
  ...slice,
});

/** The parameters of `/api/streamers`. */
export const StreamerParams = params({
  name: z.string().min(1).max(2000).describe('Handles, or links of channels, separated by spaces or commas: at most 10.'),
});

/** The parameters of `/api/sandbox/streamers`. */
export const SandboxStreamerParams = params({
  text: z.string().max(100).describe('Only streamers whose handle, name or current game has this text. Case does not matter.').optional(),
  state: oneOf(['live', 'offline']).describe('Only streamers who are live, or who are not.').optional(),
  ...slice,
});

const nameOf = (about: string) => z.string().min(1).max(100).describe(about).optional();

/** The parameters of `/api/sandbox/discord`. */
export const SandboxDiscordParams = params({
  user: nameOf('The handle or the id of the member. Default: the owner of the server.'),
  guild: nameOf('The name or the id of the server. Default: the first server.'),
  channel: nameOf('The name or the id of the channel. Default: #general.'),
  locale: z.string().max(10).describe('The language of the member, as Discord names it. Default: `en-US`.').optional(),
});

/** The parameters of a list without pages. */
export const NoParams = params({});

/** A query with only these parameters. */
function params<Shape extends z.ZodRawShape>(shape: Shape) {
  const known = Object.keys(shape);
  const takes = known.length > 0 ? `Known parameters: ${known.join(', ')}.` : 'This path has no parameters.';
  const error: z.core.$ZodErrorMap = ({ code, keys }) =>
    code === 'unrecognized_keys' && Array.isArray(keys) ? `Unknown parameter "${keys[0]}". ${takes}` : undefined;
  return z.strictObject(shape, { error });
}

function oneOf<const T extends readonly string[]>(values: T) {
  return z.enum(values, `expected one of ${values.join(', ')}`);
}
