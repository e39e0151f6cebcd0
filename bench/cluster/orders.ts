import { z } from 'zod';

/** The task of a worker of the benchmark, as JSON in its first argument. */
export const Task = z.object({
  name: z.string(),
  state: z.union([z.object({ file: z.string() }), z.object({ url: z.string(), schema: z.string() })]),
  accounts: z.int(),
  /** The folder with rules; absent: the worker only sends what is stored. */
  rules: z.string().optional(),
});
export type Task = z.infer<typeof Task>;

/** A message of a worker. Instants are those of the system, which all processes of the machine share. */
export const Message = z.union([
  z.object({ kind: z.literal('ready') }),
  z.object({ kind: z.literal('sent'), sent: z.int() }),
  z.object({
    kind: z.literal('report'),
    keys: z.array(z.string()),
    arrivedMs: z.array(z.number()),
    /** Of each post with the time of its poll: from the answer of the platform to the arrival of the post. */
    latenciesMs: z.array(z.number()),
    slots: z.int(),
    cpuMs: z.number(),
  }),
]);
export type Message = z.infer<typeof Message>;
export type Report = Extract<Message, { readonly kind: 'report' }>;

/** The accounts of the benchmark. */
export function accountNames(count: number): readonly string[] {
  return Array.from({ length: count }, (_, index) => `account-${index}`);
}
