import { VIEW_PATHS } from './paths.ts';
import type { View } from './view.ts';

/** Loads each view, by its path. A browser loads the code of its view only. */
export const VIEW_LOADERS: Readonly<Record<string, () => Promise<View>>> = {
  [VIEW_PATHS.overview]: async () => (await import('./overview.ts')).overview,
  [VIEW_PATHS.why]: async () => (await import('./why.ts')).why,
  [VIEW_PATHS.deliveries]: async () => (await import('./deliveries.ts')).deliveries,
  [VIEW_PATHS.delivery]: async () => (await import('./delivery.ts')).delivery,
  [VIEW_PATHS.posts]: async () => (await import('./posts.ts')).posts,
  [VIEW_PATHS.rules]: async () => (await import('./rules.ts')).rules,
  [VIEW_PATHS.rule]: async () => (await import('./rule.ts')).rule,
  [VIEW_PATHS.lists]: async () => (await import('./lists.ts')).lists,
  [VIEW_PATHS.list]: async () => (await import('./list.ts')).list,
  [VIEW_PATHS.accounts]: async () => (await import('./accounts.ts')).accounts,
  [VIEW_PATHS.sandbox]: async () => (await import('./sandbox.ts')).sandbox,
  [VIEW_PATHS.sandboxDiscord]: async () => (await import('./sandbox-discord.ts')).sandboxDiscord,
  [VIEW_PATHS.settings]: async () => (await import('./settings.ts')).settings,
  [VIEW_PATHS.audit]: async () => (await import('./audit.ts')).audit,
};
