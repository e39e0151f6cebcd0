import { z } from 'zod';
import { Id } from '../form.ts';

/** The languages of Discord. */
export const LOCALES: readonly string[] =
  'bg cs da de el en-GB en-US es-419 es-ES fi fr hi hr hu id it ja ko lt nl no pl pt-BR ro ru sv-SE th tr uk vi zh-CN zh-TW'.split(' ');

const Locale = z.string().refine((locale) => LOCALES.includes(locale), { error: 'Value is not a known locale.' });

/** Discord uses these before the default. */
const FALLBACKS: Readonly<Record<string, string>> = { 'en-US': 'en-GB', 'en-GB': 'en-US', 'es-419': 'es-ES' };

/** Texts by language. They have the limits of the default text. */
const localizations = (text: z.ZodType<string>) => z.record(Locale, text).nullish();

interface Localized {
  readonly name: string;
  readonly name_localizations?: Readonly<Record<string, string>> | null | undefined;
}

/** The name that users with this language see. */
export function nameIn({ name, name_localizations: names }: Localized, locale: string): string {
  return names?.[locale] ?? names?.[FALLBACKS[locale] ?? ''] ?? name;
}

/** The description that users with this language see. */
export function descriptionIn(
  {
    description,
    description_localizations: texts,
  }: {
    readonly description: string;
    readonly description_localizations?: Readonly<Record<string, string>> | null | undefined;
  },
  locale: string,
): string {
  return texts?.[locale] ?? texts?.[FALLBACKS[locale] ?? ''] ?? description;
}

/** Whether `typed` is the name in this language, or the default name. */
export function isCalled(thing: Localized, typed: string, locale: string): boolean {
  return nameIn(thing, locale) === typed || thing.name === typed;
}

/** The index of the first repeated name in any language, or -1. */
export function indexOfRepeated(things: readonly Localized[]): number {
  return things.findIndex((thing, index) =>
    LOCALES.some((locale) => things.slice(0, index).some((before) => nameIn(before, locale) === nameIn(thing, locale))),
  );
}

/** A command, or a part of it, without translations. */
export function withoutLocalizations<T extends object>(thing: T): T {
  const kept = Object.entries(thing).flatMap(([key, value]: [string, unknown]) => {
    if (key === 'name_localizations' || key === 'description_localizations') return [];
    const isList = (key === 'options' || key === 'choices') && Array.isArray(value);
    return [[key, isList ? value.map((each: object) => withoutLocalizations(each)) : value] as const];
  });
  return Object.fromEntries(kept) as T; // these fields may be missing everywhere
}

export const COMMAND_TYPES = { slash: 1, user: 2, message: 3 } as const;

export const OPTION_TYPES = {
  subcommand: 1,
  group: 2,
  string: 3,
  integer: 4,
  boolean: 5,
  user: 6,
  channel: 7,
  role: 8,
  attachment: 11,
} as const;

/** Whether an option is a subcommand or a group of them. */
export function isHolder(type: number): boolean {
  return type === OPTION_TYPES.subcommand || type === OPTION_TYPES.group;
}

const MAX_OPTIONS = 25;
const MAX_CHOICES = 25;

const Name = z.string().refine((name) => /^[-_'\p{L}\p{N}]{1,32}$/u.test(name) && name === name.toLowerCase(), {
  params: { code: 'APPLICATION_COMMAND_INVALID_NAME' },
  message: 'Command name is invalid',
});
const Description = z.string().min(1).max(100);
const ChoiceName = z.string().min(1).max(100);
const Choice = z.object({
  name: ChoiceName,
  name_localizations: localizations(ChoiceName),
  value: z.string().max(100),
});

/** An option of a command. A subcommand and a group are options with options. */
export type CommandOption = {
  readonly type: number;
  readonly name: string;
  readonly name_localizations?: Readonly<Record<string, string>> | null | undefined;
  readonly description: string;
  readonly description_localizations?: Readonly<Record<string, string>> | null | undefined;
  readonly required?: boolean | undefined;
  readonly autocomplete?: boolean | undefined;
  readonly choices?: readonly z.output<typeof Choice>[] | undefined;
  readonly min_length?: number | undefined;
  readonly max_length?: number | undefined;
  readonly channel_types?: readonly number[] | undefined;
  readonly options?: readonly CommandOption[] | undefined;
};

const Option: z.ZodType<CommandOption> = z
  .object({
    type: z.literal(Object.values(OPTION_TYPES)),
    name: Name,
    name_localizations: localizations(Name),
    description: Description,
    description_localizations: localizations(Description),
    required: z.boolean().optional(),
    autocomplete: z.boolean().optional(),
    choices: z.array(Choice).max(MAX_CHOICES).optional(),
    min_length: z.int().min(0).max(6000).optional(),
    max_length: z.int().min(1).max(6000).optional(),
    channel_types: z.array(z.int()).optional(),
    get options() {
      return Options.optional();
    },
  })
  .refine(({ autocomplete, choices }) => !autocomplete || !choices?.length, {
    path: ['autocomplete'],
    params: { code: 'APPLICATION_COMMAND_OPTIONS_AUTOCOMPLETE_CHOICES_INVALID' },
    message: 'Autocomplete cannot be used with choices',
  });

const Options = z
  .array(Option)
  .max(MAX_OPTIONS)
  .superRefine((options, context) => {
    const repeated = indexOfRepeated(options);
    if (repeated >= 0) {
      context.addIssue({
        code: 'custom',
        path: [repeated],
        params: { code: 'APPLICATION_COMMAND_OPTIONS_NAME_ALREADY_EXISTS' },
        message: 'Option names must be unique',
      });
    }
    const late = options.findIndex(({ required }, index) => required && options.slice(0, index).some((before) => !before.required));
    if (late >= 0) {
      context.addIssue({
        code: 'custom',
        path: [late],
        params: { code: 'APPLICATION_COMMAND_OPTIONS_REQUIRED_INVALID' },
        message: 'Required options must be placed before non-required options',
      });
    }
  });

/** A command in a registration. */
export const CommandForm = z.object({
  id: Id.optional(),
  type: z.literal([1, 2, 3]).default(1),
  name: z.string().min(1).max(32),
  name_localizations: localizations(z.string().min(1).max(32)),
  description: z.string().max(100).default(''),
  description_localizations: localizations(Description),
  options: Options.nullish().transform((options) => options ?? []),
  default_member_permissions: z.string().regex(/^\d+$/).nullish(),
  dm_permission: z.boolean().nullish(),
  contexts: z.array(z.int()).nullish(),
  integration_types: z.array(z.int()).nullish(),
  nsfw: z.boolean().nullish(),
});

/** {@link CommandForm} with the rules for slash commands. */
export const CheckedCommandForm = CommandForm.superRefine(({ type, name, name_localizations: names, description }, context) => {
  if (type !== 1) return;
  const all = [
    [['name'], name] as const,
    ...Object.entries(names ?? {}).map(([locale, text]) => [['name_localizations', locale], text] as const),
  ];
  for (const [path, text] of all) {
    const params = { code: 'APPLICATION_COMMAND_INVALID_NAME' };
    if (!Name.safeParse(text).success) context.addIssue({ code: 'custom', path: [...path], params, message: 'Command name is invalid' });
  }
  if (description === '') {
    context.addIssue({ code: 'custom', path: ['description'], params: { code: 'BASE_TYPE_REQUIRED' }, message: 'This field is required' });
  }
});
export type CommandForm = z.output<typeof CommandForm>;
