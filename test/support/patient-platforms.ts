import type { PlatformFactory } from '#sandbox/context.ts';
import { discordServer } from '#sandbox/discord/discord.ts';
import { onRequestPlatforms } from '#sandbox/on-request.ts';
import { sandboxPlatforms } from '#sandbox/platforms.ts';

/** Longer than a busy machine needs for a response. */
const ANSWER_MS = 60_000;

/** All platforms, with a Discord that waits for so long for the response to an interaction. */
export function patientPlatforms(answerMs = ANSWER_MS): readonly PlatformFactory[] {
  const chat: PlatformFactory = (context) => discordServer(context, { answerMs });
  return [...sandboxPlatforms, ...onRequestPlatforms].map((one) => (one === discordServer ? chat : one));
}
