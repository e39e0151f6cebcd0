import { z } from 'zod';
import { faultKinds } from '../faults.ts';

const who = { user: z.string().min(1) };
const game = z.string().min(1);
const title = z.string().min(1).max(140);
const viewers = z.int().min(0);

/** An order for a person of the world. */
export const WorldForm = z.discriminatedUnion('do', [
  z.strictObject({
    do: z.literal('goLive'),
    ...who,
    game: game.optional(),
    title: title.optional(),
    viewers: viewers.optional(),
    broadcastId: z.string().optional(),
  }),
  z.strictObject({ do: z.literal('end'), ...who }),
  z.strictObject({ do: z.literal('changeGame'), ...who, game }),
  z.strictObject({ do: z.literal('changeTitle'), ...who, title }),
  z.strictObject({ do: z.literal('setViewers'), ...who, viewers }),
]);

/** An order for a fault. */
export const FaultForm = z
  .strictObject({
    platform: z.string(),
    method: z.string().toUpperCase().optional(),
    route: z.string().optional(),
    kind: z.enum(faultKinds),
    status: z.int().min(200).max(599).optional(),
    ms: z.number().min(0).optional(),
    times: z.int().min(1).optional(),
  })
  .refine(({ kind, status = 500 }) => status >= 400 || kind === 'page' || kind === 'pageAfter', {
    path: ['status'],
    message: 'only a page can have a status below 400',
  });
