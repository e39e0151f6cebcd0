import { z } from 'zod';
import type { Outcome } from '#src/rules/decision.ts';
import type { DeliveryState } from '#src/queries/records.ts';

/** The outcomes of decisions, as an enumeration. */
export const OUTCOMES = {
  fired: 'fired',
  silent: 'silent',
  refused: 'refused',
  held: 'held',
  waiting: 'waiting',
  closed: 'closed',
  quiet: 'quiet',
  failed: 'failed',
} as const satisfies { [K in Outcome]: K };

/** The states of deliveries, as an enumeration. */
export const STATES = {
  pending: 'pending',
  sending: 'sending',
  asked: 'asked',
  sent: 'sent',
  failed: 'failed',
  unknown: 'unknown',
  skipped: 'skipped',
} as const satisfies { [K in DeliveryState]: K };

const rule = z.string().min(1).max(200).describe('Only items of the rule with this id.').optional();
const slice = {
  cursor: z.string().min(1).max(2000).describe('The `cursor` of the previous page.').optional(),
  limit: z
    .string()
    .regex(/^([1-9]\d?|100)$/, 'expected a whole number from 1 to 100')
    .default('50')
    .transform(Number)
    // Clients send a number; the text form is that of a query.
    .meta({ description: 'The number of items in a page.', number: { type: 'integer', minimum: 1, maximum: 100, default: 50 } }),
};

/** The parameters of `/api/decisions`. */
export const DecisionParams = z.strictObject({
  rule,
  outcome: oneOf(OUTCOMES).describe('Only decisions with this outcome.').optional(),
  ...slice,
});

/** The parameters of `/api/deliveries`. */
export const DeliveryParams = z.strictObject({
  rule,
  state: oneOf(STATES).describe('Only deliveries in this state.').optional(),
  ...slice,
});

/** The parameters of a list without pages. */
export const NoParams = z.strictObject({});

function oneOf<T extends Readonly<Record<string, string>>>(values: T): z.ZodEnum<T> {
  return z.enum(values, `expected one of ${Object.keys(values).join(', ')}`);
}

/** An invalid query. The message is for the caller. */
export class QueryError extends Error {
  override readonly name = 'QueryError';
  readonly parameter: string;

  constructor(message: string, parameter: string) {
    super(message);
    this.parameter = parameter;
  }
}

/** Parses a query. Throws a {@link QueryError} for the first mistake. */
export function parseQuery<T>(params: z.ZodObject & z.ZodType<T>, query: Readonly<Record<string, string>>): T {
  const parsed = params.safeParse(query);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  if (issue?.code === 'unrecognized_keys') {
    const known = Object.keys(params.shape);
    const takes = known.length > 0 ? `Known parameters: ${known.join(', ')}.` : 'This path has no parameters.';
    throw new QueryError(`Unknown parameter "${issue.keys[0]}". ${takes}`, String(issue.keys[0]));
  }
  const parameter = String(issue?.path[0]);
  throw new QueryError(`${parameter}: ${issue?.message}.`, parameter);
}
