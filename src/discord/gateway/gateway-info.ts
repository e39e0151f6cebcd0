import { DiscordAPIError, type APIGatewayBotInfo, type REST, Routes } from 'discord.js';
import { PlatformError } from '#src/errors.ts';

/** How Discord wants the gateway to be split. */
export interface GatewayInfo {
  /** The recommended number of shards. */
  readonly shards: number;
  /** How many shards may identify at once. */
  readonly maxConcurrency: number;
}

/** Discord does not accept the token. */
export function tokenRejected(cause: unknown): PlatformError {
  return new PlatformError('Discord does not accept the token: check DISCORD_TOKEN.', {
    platform: 'discord',
    fault: 'unauthorized',
    cause,
  });
}

/** Asks Discord how to split the gateway. */
export async function gatewayInfo(rest: REST, signal: AbortSignal): Promise<GatewayInfo> {
  try {
    const { shards, session_start_limit: limit } = (await rest.get(Routes.gatewayBot(), { signal })) as APIGatewayBotInfo; // as Discord documents it
    return { shards, maxConcurrency: limit.max_concurrency };
  } catch (error) {
    if (error instanceof DiscordAPIError && error.status === 401) throw tokenRejected(error);
    throw error;
  }
}
