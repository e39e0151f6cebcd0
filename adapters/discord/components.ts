import { z } from 'zod';

const BUTTON = 2;

/** A button on a message. */
export interface Button {
  readonly customId: string | undefined;
  readonly label: string;
}

interface Part {
  readonly type: number;
  readonly custom_id?: string | null | undefined;
  readonly label?: string | null | undefined;
  readonly components?: readonly Part[] | null | undefined;
}

const Part: z.ZodType<Part> = z.object({
  type: z.int(),
  custom_id: z.string().nullish(),
  label: z.string().nullish(),
  get components() {
    return z.array(Part).nullish();
  },
});

/** All buttons of a message, whatever holds them. */
export const WireButtons = z
  .array(Part)
  .nullish()
  .transform((parts): readonly Button[] => (parts ?? []).flatMap(buttonsIn));

function buttonsIn({ type, custom_id, label, components }: Part): readonly Button[] {
  const own = type === BUTTON ? [{ customId: custom_id ?? undefined, label: label ?? '' }] : [];
  return [...own, ...(components ?? []).flatMap(buttonsIn)];
}
