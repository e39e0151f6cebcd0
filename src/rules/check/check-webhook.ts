import { isJsonList, isJsonObject, type Json } from '#src/clients/operation/json.ts';
import { SECRET_CODE } from '#src/rules/diagnostic.ts';
import type { Path } from '#src/rules/document/report.ts';
import { conditionSource } from '#src/rules/expression/condition.ts';
import type { ExpressionSite } from '#src/rules/expression/expressions.ts';
import { keyReader } from '#src/rules/expression/item-key.ts';
import type { RuleDraft } from '#src/rules/grammar/rule-file.ts';
import { isReadable } from '#src/rules/grammar/scalars.ts';
import {
  ABOUT_WEBHOOK,
  isWebhookName,
  LARGEST_BODY_BYTES,
  MOST_FIELDS,
  parseSize,
  USUAL_BODY_BYTES,
} from '#src/rules/grammar/webhook-file.ts';
import type { RuleWebhook } from '#src/rules/rule.ts';
import { WEBHOOK_FIELD_TYPES, type WebhookFields, type WebhookType } from '#src/rules/step.ts';
import { isSet, type RuleCheckContext } from './check-context.ts';
import { checkKey } from './check-expression.ts';

/** Keys without a meaning for a rule that runs when a request arrives. */
const OF_SCHEDULE: readonly Path[] = [
  ['when', 'every'],
  ['when', 'cron'],
  ['when', 'at'],
  ['when', 'missed'],
  ['when', 'maxAge'],
  ['when', 'watch'],
  ['when', 'people'],
  ['when', 'command'],
  ['gather'],
];

/** Checks the webhook of a rule; undefined if a webhook does not start it. */
export function checkWebhook(draft: RuleDraft, context: RuleCheckContext): RuleWebhook | undefined {
  const { document, report, accounts, catalogue, listShapes, constants } = context;
  const { when = {} } = draft;
  if (!isSet(context, ['when', 'webhook'])) {
    for (const key of ABOUT_WEBHOOK.filter((one) => isSet(context, ['when', one]))) {
      report.error(document.keyLocation(['when'], key), 'key-without-webhook', `${key} needs webhook`, `add webhook, or remove ${key}`);
    }
    return undefined;
  }
  for (const path of OF_SCHEDULE.filter((one) => isSet(context, one))) {
    const key = path.at(-1);
    const message = `a rule that a webhook starts has no ${key}`;
    report.error(document.keyLocation(path.slice(0, -1), String(key)), 'key-with-webhook', message, `remove ${key}`);
  }
  checkDeferring(draft, context);
  const { webhook: name, key } = when;
  const fields = readFields(when.fields as Json | undefined, ['when', 'fields'], context); // the schema has only JSON
  checkCount(fields, context);
  const maxBytes = checkSize(when.maxSize, context);
  if (name === undefined) return undefined;
  const location = document.locationOf(['when', 'webhook']);
  const known = accounts['webhook']?.all;
  if (!isWebhookName(name)) {
    const small = name
      .toLowerCase()
      .replaceAll(/[^a-z0-9]+/gu, '-')
      .replaceAll(/^-|-$/gu, '');
    const hint = `write ${isWebhookName(small) ? small : '1 to 40 small letters, digits and -, for example kofi'}`;
    report.error(location, 'webhook-name', `a webhook cannot have the name ${name}`, hint);
  } else if (known && !known.includes(name)) {
    const variable = `FANFARE_WEBHOOK_${name.toUpperCase().replaceAll('-', '_')}`;
    const hint = `set ${variable}_SECRET for signed requests, or ${variable}_TOKEN`;
    report.warning(location, SECRET_CODE, `no secret of the webhook ${name} is set: its requests are refused`, hint);
  }
  const site: ExpressionSite = { kind: 'item', names: { webhook: fields, steps: {}, listShapes, constants } };
  const isRight = key !== undefined && checkKey(key, { path: ['when', 'key'], site }, context) !== undefined;
  return { name, fields, maxBytes, key: isRight ? keyReader(conditionSource(key).source, { site, catalogue }).key : undefined };
}

/** A deferred firing evaluates the rule again later, without the payload. */
function checkDeferring(draft: RuleDraft, { document, report }: RuleCheckContext): void {
  for (const key of ['quiet', 'limit'] as const) {
    const then = draft[key]?.then;
    if (then === undefined || then === 'drop') continue;
    const message = `${key} cannot defer a webhook: its payload is not stored for later`;
    report.error(document.locationOf([key, 'then']), 'webhook-deferred', message, 'write then: drop');
  }
}

function checkSize(written: string | undefined, { document, report }: RuleCheckContext): number {
  if (written === undefined) return USUAL_BODY_BYTES;
  const bytes = parseSize(written);
  if (bytes !== undefined && bytes <= LARGEST_BODY_BYTES) return bytes;
  const message = bytes === undefined ? `${written} is not a size` : 'the largest size is 1MB';
  report.error(document.locationOf(['when', 'maxSize']), 'webhook-size', message, `write ${meantSize(written) ?? 'for example 256kB'}`);
  return USUAL_BODY_BYTES;
}

/** The size that people write as `500`, `500 KB` or `1mb`; undefined: the text is none. */
function meantSize(written: string): string | undefined {
  const [, count, unit] = /^(\d{1,4})\s*(?:([km])b?)?$/iu.exec(written.trim()) ?? [];
  const size = count === undefined ? '' : `${count}${unit?.toLowerCase() === 'm' ? 'MB' : 'kB'}`;
  return (parseSize(size) ?? Infinity) <= LARGEST_BODY_BYTES ? size : undefined;
}

function readFields(written: Json | undefined, path: Path, context: RuleCheckContext): WebhookFields {
  const fields: Record<string, WebhookFields[string]> = {};
  for (const [key, value] of Object.entries(isJsonObject(written) ? written : {})) {
    const optional = key.endsWith('?');
    const name = optional ? key.slice(0, -1) : key;
    const location = context.document.keyLocation(path, key);
    if (!isReadable(name)) {
      const message = `expressions cannot read a field with the name ${name}`;
      context.report.error(location, 'unreadable-name', message, 'use letters, digits and _, and start with a letter');
    } else if (Object.hasOwn(fields, name)) {
      context.report.error(location, 'repeated-field', `the field ${name} appears twice`, 'remove one of them');
    }
    const type = readType(value, [...path, key], context);
    if (type !== undefined) fields[name] = { type, optional };
  }
  return fields;
}

/** The type of a field; undefined if it is wrong, which the schema reports. */
function readType(written: Json | undefined, path: Path, context: RuleCheckContext): WebhookType | undefined {
  if (typeof written === 'string') return WEBHOOK_FIELD_TYPES.find((one) => one === written);
  if (isJsonList(written)) {
    const list = readType(written[0], [...path, 0], context);
    return list === undefined ? undefined : { list };
  }
  return isJsonObject(written) ? { fields: readFields(written, path, context) } : undefined;
}

function checkCount(fields: WebhookFields, { document, report }: RuleCheckContext): void {
  if (countOf({ fields }) <= MOST_FIELDS) return;
  report.error(
    document.locationOf(['when', 'fields']),
    'many-fields',
    `a webhook has at most ${MOST_FIELDS} fields`,
    'remove some of them',
  );
}

function countOf(type: WebhookType): number {
  if (typeof type === 'string') return 0;
  if ('list' in type) return countOf(type.list);
  return Object.values(type.fields).reduce((sum, field) => sum + 1 + countOf(field.type), 0);
}
