import { z } from 'zod';
import type { Person } from '#src/operation/record.ts';

/** An empty text is Helix's way to say that there is none. */
export const filled = z.string().transform((text) => text || undefined);
export const instant = z.iso.datetime({ offset: true }).transform((text) => new Date(text));
export const count = z.int().min(0);

/** Somebody whose login is known. */
export function toPerson(id: string, login: string, displayName: string): Person {
  return { platform: 'twitch', id, url: channelUrl(login), handle: login, displayName };
}

export function channelUrl(login: string): string {
  return `https://www.twitch.tv/${login}`;
}

export function gameUrl(name: string): string {
  return `https://www.twitch.tv/directory/game/${encodeURIComponent(name)}`;
}

/** `%{width}` as some answers have it, and `{width}`, as `{width}`. */
export function toTemplate(url: string): string {
  return url.replaceAll('%{', '{');
}

/** The address of a picture of that size, be it a template or one that names another size. */
export function sized(url: string, width: number, height: number): string {
  const template = url.replace(/-\d+x\d+(\.\w+)$/, '-{width}x{height}$1');
  return template.replaceAll('{width}', String(width)).replaceAll('{height}', String(height));
}
