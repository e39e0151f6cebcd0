import { z } from 'zod';
import type { JsonObject } from '#src/operation/json.ts';

export const COMPONENT_TYPES = {
  row: 1,
  button: 2,
  stringSelect: 3,
  textInput: 4,
  label: 18,
} as const;

export const LINK_BUTTON = 5;

/** A choice of a select. */
interface Choice {
  readonly value: string;
  readonly label: string;
  readonly description: string | undefined;
  readonly emoji: string | undefined;
  /** Chosen by default. */
  readonly chosen: boolean;
}

/** A button, a select, a text input, or a container of them. */
export interface Component {
  readonly type: number;
  readonly id: number | undefined;
  readonly customId: string | undefined;
  readonly label: string | undefined;
  readonly description: string | undefined;
  /** The colour of a button, or the size of a text input. */
  readonly style: number | undefined;
  readonly url: string | undefined;
  readonly emoji: string | undefined;
  readonly placeholder: string | undefined;
  readonly disabled: boolean;
  readonly required: boolean;
  /** The initial text of a text input. */
  readonly value: string | undefined;
  readonly minValues: number;
  readonly maxValues: number;
  readonly choices: readonly Choice[];
  readonly inner: readonly Component[];
}

const Emoji = z.object({ name: z.string().nullish() }).nullish();

const Option = z
  .object({
    label: z.string().min(1).max(100),
    value: z.string().min(1).max(100),
    description: z.string().max(100).nullish(),
    emoji: Emoji,
    default: z.boolean().nullish(),
  })
  .transform((wire): Choice => ({
    value: wire.value,
    label: wire.label,
    description: wire.description ?? undefined,
    emoji: wire.emoji?.name ?? undefined,
    chosen: wire.default ?? false,
  }));

const Wire = z.object({
  type: z.int().min(1).max(30),
  id: z.int().min(0).nullish(),
  custom_id: z.string().min(1).max(100).nullish(),
  label: z.string().nullish(),
  style: z.int().nullish(),
  url: z.string().max(512).nullish(),
  description: z.string().nullish(),
  emoji: Emoji,
  disabled: z.boolean().nullish(),
  required: z.boolean().nullish(),
  placeholder: z.string().max(150).nullish(),
  value: z.string().max(4000).nullish(),
  min_values: z.int().min(0).max(25).nullish(),
  max_values: z.int().min(1).max(25).nullish(),
  options: z.array(Option).max(25).nullish(),
});

/** Parses a component. Faults have the path of the invalid value. */
export const Component: z.ZodType<Component> = Wire.extend({
  get components() {
    return z.array(Component).max(40).nullish();
  },
  get component() {
    return Component.nullish();
  },
})
  .refine((wire) => wire.type !== COMPONENT_TYPES.row || (wire.components?.length ?? 0) <= 5, {
    path: ['components'],
    params: { code: 'BASE_TYPE_BAD_LENGTH' },
    message: 'Must be between 1 and 5 in length.',
  })
  .refine(({ type, label }) => type !== COMPONENT_TYPES.button || (label?.length ?? 0) <= 80, {
    path: ['label'],
    params: { code: 'BASE_TYPE_MAX_LENGTH' },
    message: 'Must be 80 or fewer in length.',
  })
  .refine(({ type, style, custom_id, url }) => type !== COMPONENT_TYPES.button || (style === LINK_BUTTON ? url : custom_id) !== undefined, {
    params: { code: 'BUTTON_COMPONENT_CUSTOM_ID_REQUIRED' },
    message: 'A custom id is required',
  })
  .transform((wire) => ({
    type: wire.type,
    id: wire.id ?? undefined,
    customId: wire.custom_id ?? undefined,
    label: wire.label ?? undefined,
    description: wire.description ?? undefined,
    style: wire.style ?? undefined,
    url: wire.url ?? undefined,
    emoji: wire.emoji?.name ?? undefined,
    placeholder: wire.placeholder ?? undefined,
    disabled: wire.disabled ?? false,
    required: wire.required ?? true,
    value: wire.value ?? undefined,
    minValues: wire.min_values ?? 1,
    maxValues: wire.max_values ?? 1,
    choices: wire.options ?? [],
    inner: [...(wire.components ?? []), ...(wire.component ? [wire.component] : [])],
  }));

/** All components of a message or a modal, in order. */
export function flatten(components: readonly Component[]): readonly Component[] {
  return components.flatMap((component) => [component, ...flatten(component.inner)]);
}

/** {@link flatten} for stored components. */
export function readComponents(wire: readonly JsonObject[]): readonly Component[] {
  return flatten(wire.map((component) => Component.parse(component)));
}
