import { fetch } from 'undici';

/** Allows the access on the page of the simulated Mastodon, and returns the address of the last page. */
export async function allowAccess(page: string): Promise<string> {
  const { origin, searchParams } = new URL(page);
  const form = new URLSearchParams({ ...Object.fromEntries(searchParams), decision: 'authorize' });
  const answer = await fetch(`${origin}/oauth/authorize`, { method: 'POST', body: form, redirect: 'manual' });
  return answer.headers.get('location') ?? '';
}
