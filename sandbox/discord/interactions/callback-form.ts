import { z } from 'zod';
import { Component } from '../messages/component.ts';

export const CALLBACKS = {
  message: 4,
  deferredMessage: 5,
  deferredUpdate: 6,
  update: 7,
  choices: 8,
  modal: 9,
} as const;

/** An answer. The form of `data` depends on the type. */
export const CallbackForm = z.object({ type: z.int(), data: z.unknown().optional() });
export type CallbackForm = z.output<typeof CallbackForm>;

export const DeferForm = z.object({ flags: z.int().min(0).nullish() }).nullish();

export const ChoicesForm = z.object({
  choices: z
    .array(
      z.object({
        name: z.string().min(1).max(100),
        name_localizations: z.record(z.string(), z.string()).nullish(),
        value: z.union([z.string().max(100), z.number()]),
      }),
    )
    .max(25),
});

/** A modal with its components. */
export const ModalForm = z
  .object({ custom_id: z.string().min(1).max(100), title: z.string().min(1).max(45), components: z.array(Component).min(1).max(5) })
  .transform((wire) => ({ customId: wire.custom_id, title: wire.title, components: wire.components }));
export type Modal = z.output<typeof ModalForm>;
