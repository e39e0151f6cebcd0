import type { PlatformFactory } from '#sandbox/context.ts';
import { discordServer } from '#sandbox/discord/discord.ts';
import { onRequestPlatforms } from '#sandbox/on-request.ts';
import { sandboxPlatforms } from '#sandbox/platforms.ts';
import { observedPlatforms, type ObservedPlatformsOptions } from '../acceptance/observed-platforms.ts';

/** Longer than a busy machine needs for a response. */
const ANSWER_MS = 60_000;

interface PatientPlatformsOptions {
  readonly answerMs?: number | undefined;
  /** Called before each request to Discord, which waits for it. */
  readonly onDiscord?: ObservedPlatformsOptions['onCome'];
}

/** All platforms, with a Discord that waits for so long for the response to an interaction. */
export function patientPlatforms({ answerMs = ANSWER_MS, onDiscord }: PatientPlatformsOptions = {}): readonly PlatformFactory[] {
  const chat = observedPlatforms({ platforms: [(context) => discordServer(context, { answerMs })], onCome: onDiscord });
  return [...sandboxPlatforms, ...onRequestPlatforms].flatMap((one) => (one === discordServer ? chat : [one]));
}
