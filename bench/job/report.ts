import { z } from 'zod';

export const GAME = 'VALORANT';
/** A new stream enters the top five at each third poll. */
export const POLLS_PER_CHANGE = 3;

/** A poll as the platform sees it. */
export interface PollSeen {
  /** The CPU time of the program when the request arrives. */
  readonly cpuMs: number;
  readonly query: string;
  answeredMs: number;
}

/** A post as the platform sees it. */
export interface PostSeen {
  readonly arrivedMs: number;
  readonly body: string;
}

export const Listening = z.object({ url: z.string(), environment: z.record(z.string(), z.string()) });
export const Report = z.object({
  seen: z.array(z.object({ cpuMs: z.number().nullable(), query: z.string(), answeredMs: z.number().nullable() })),
  posts: z.array(z.object({ arrivedMs: z.number(), body: z.string() })),
});
