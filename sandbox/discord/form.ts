import { z } from 'zod';
import { invalidForm, type FormFault } from './refusal.ts';

/** An id in a form. Some clients send numbers. */
export const Id = z
  .union([z.string(), z.int()])
  .transform(String)
  .refine((id) => /^\d{1,20}$/.test(id), { params: { code: 'NUMBER_TYPE_COERCE' }, message: 'Value is not snowflake.' });

interface AddressFault {
  readonly code: string;
  readonly message: string;
}

/** Why Discord refuses an address. It refuses hosts without a dot, but not IP addresses: https://github.com/bugsink/bugsink/issues/280. */
export function faultOfAddress(url: string): AddressFault | undefined {
  if (/^attachment:\/\//iu.test(url)) return undefined;
  if (!/^https?:\/\//iu.test(url)) return { code: 'URL_TYPE_INVALID_SCHEME', message: "Scheme must be one of ('http', 'https')." };
  const isWellFormed = !/\s/u.test(url) && URL.canParse(url) && /[.:]/u.test(new URL(url).hostname);
  return isWellFormed ? undefined : { code: 'URL_TYPE_INVALID_URL', message: 'Not a well formed URL.' };
}

/** An address in a form: of the web, or of a file of the message. */
export const Address = z
  .string()
  .max(2048)
  .superRefine((url, context) => {
    const fault = faultOfAddress(url);
    if (fault) context.addIssue({ code: 'custom', params: { code: fault.code }, message: fault.message });
  });

/** Parses a form. An invalid form throws a `Refusal` with all faults. */
export function parseForm<T>(schema: z.ZodType<T>, form: unknown): T {
  const parsed = schema.safeParse(form, { reportInput: true });
  if (!parsed.success) throw invalidForm(faultsOf(parsed.error));
  return parsed.data;
}

/** The faults with Discord's codes and messages. */
export function faultsOf(error: z.ZodError): readonly FormFault[] {
  return error.issues.map((issue) => {
    const [code, message] = wordFault(issue);
    return { path: issue.path, code, message };
  });
}

const wrongTypes: Readonly<Record<string, readonly [code: string, message: string]>> = {
  string: ['STRING_TYPE_CONVERT', 'Could not interpret the value as string.'],
  number: ['NUMBER_TYPE_COERCE', 'Value is not int.'],
  int: ['NUMBER_TYPE_COERCE', 'Value is not int.'],
  boolean: ['BOOLEAN_TYPE_CONVERT', 'Must be either true or false.'],
  array: ['LIST_TYPE_CONVERT', 'Only iterables may be used in a ListType'],
  object: ['MODEL_TYPE_CONVERT', 'Only dictionaries may be used in a ModelType'],
};

function wordFault(issue: z.core.$ZodIssue): readonly [code: string, message: string] {
  if (issue.code !== 'custom' && issue.input === undefined) return ['BASE_TYPE_REQUIRED', 'This field is required'];
  switch (issue.code) {
    case 'invalid_type':
      return wrongTypes[issue.expected] ?? ['BASE_TYPE_INVALID', issue.message];
    case 'too_big':
      return issue.origin === 'string' || issue.origin === 'array'
        ? ['BASE_TYPE_MAX_LENGTH', `Must be ${issue.maximum} or fewer in length.`]
        : ['NUMBER_TYPE_MAX', `int value should be less than or equal to ${issue.maximum}.`];
    case 'too_small':
      return issue.origin === 'string' || issue.origin === 'array'
        ? ['BASE_TYPE_MIN_LENGTH', `Must be ${issue.minimum} or more in length.`]
        : ['NUMBER_TYPE_MIN', `int value should be greater than or equal to ${issue.minimum}.`];
    case 'invalid_value':
      return ['BASE_TYPE_CHOICES', `Value must be one of {${issue.values.map(String).join(', ')}}.`];
    case 'custom':
      return [String(issue.params?.['code'] ?? 'BASE_TYPE_INVALID'), issue.message];
    default:
      return ['BASE_TYPE_INVALID', issue.message];
  }
}
