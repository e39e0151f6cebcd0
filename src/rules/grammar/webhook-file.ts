import { z } from 'zod';
import { WEBHOOK_FIELD_TYPES } from '#src/rules/step.ts';

/** The form of the names of webhooks in rules and addresses. */
const NAME = /^[a-z0-9](?:[a-z0-9-]{0,38}[a-z0-9])?$/u;

/** Whether a webhook can have this name. */
export function isWebhookName(name: string): boolean {
  return NAME.test(name);
}

/** The default of `maxSize`, in bytes. */
export const USUAL_BODY_BYTES = 64 * 1024;
/** The largest body that a rule can allow, in bytes. */
export const LARGEST_BODY_BYTES = 1024 * 1024;
/** The most fields that a rule reads, with those of maps. */
export const MOST_FIELDS = 100;

const UNITS = { kB: 1024, MB: 1024 * 1024 } as const;
const SIZE = /^(?<count>[1-9]\d{0,3})(?<unit>kB|MB)$/u;

/** Reads a size, for example `256kB`, in bytes; undefined: it is not one. */
export function parseSize(text: string): number | undefined {
  const { count, unit } = SIZE.exec(text)?.groups ?? {};
  return unit === 'kB' || unit === 'MB' ? Number(count) * UNITS[unit] : undefined;
}

const type = z.enum(WEBHOOK_FIELD_TYPES);

/** A field that may have maps and lists of `inner`. */
function fieldWith<Inner extends z.ZodType>(inner: Inner) {
  return z.union([type, z.tuple([inner]), z.record(z.string(), inner)]);
}

const FieldFile = fieldWith(fieldWith(fieldWith(type)));

/** The keys of `when` of a rule that a webhook starts. */
export const webhookKeys = {
  webhook: z
    .string()
    .min(1)
    .optional()
    .describe(
      'The name of an incoming webhook. The rule runs when a program sends a request to `/hooks/<name>`, without polls. The secret of the sender is in `FANFARE_WEBHOOK_<NAME>_SECRET` or `FANFARE_WEBHOOK_<NAME>_TOKEN`.',
    ),
  fields: z
    .record(z.string(), FieldFile)
    .optional()
    .describe(
      'With `webhook`: the fields of the payload that the rule reads as `item.<name>`, at most 100, with their types: text, number, integer, boolean, time (with `Z` or an offset, as 2026-11-20T18:00:00Z), a map of fields, or a list as [text]. A field with ? after its name may be missing. Other fields are not stored.',
    ),
  maxSize: z.string().optional().describe('With `webhook`: the largest body of a request, for example 256kB, at most 1MB. Default: 64kB.'),
};

/** The keys of `when` that need `webhook`. */
export const ABOUT_WEBHOOK = ['fields', 'maxSize'] as const;
