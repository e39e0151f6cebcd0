/** The instant of the oldest delivery of `manyDeliveries`. The others follow every second. */
export const FIRST_MS = Date.parse('2026-09-01T00:00:00Z');

/**
 * The SQL that writes many deliveries in bulk, for both databases. Some large sets have no row in common, so that combinations of filters find
 * nothing: `big` and `mastodon`, failed and `mastodon`, `even` and `odd`. The account `rare` has the oldest hundredth.
 */
export function manyDeliveries(count: number): readonly string[] {
  const numbers = (most: number): string =>
    `with recursive number (n) as (select 0 union all select n + 1 from number where n + 1 < ${most})`;
  return [
    `${numbers(Math.ceil(count / 100))}
     insert into firing (id, rule, episode, section, at_ms, names)
     select 'f' || n, 'big', 'e' || n, 'then', ${FIRST_MS} + n * 100000, '{"steps":{}}' from number`,
    `${numbers(count)}
     insert into delivery (
       id, firing, rule, text_version, item, item_name, item_picture, episode, queue, section, occasion, step, verb, account, creates,
       even_if_unchanged, plan, state, attempts, created_ms, begins_ms, due_ms, since_ms, sent_ms, params, words, result, record
     )
     select 'd' || n, 'f' || (n / 100), case when n % 2 = 0 then 'big' else 'rule-' || (n % 100) end, 'v1',
       case when n % 10 < 3 then 'twitch/big' when n % 10 < 9 then 'twitch/' || (n % 3000) end, 'Streamer', 'https://example.test/' || (n % 3000) || '.png',
       'e' || (n / 100), 'q' || (n % 3000), 'then', '1', '0', 'social.createPost',
       case when n < ${Math.floor(count / 100)} then 'rare' when n % 10 < 3 then 'x' when n % 3 = 0 then 'mastodon' when n % 3 = 1 then 'bluesky' else 'discord' end,
       1, 0, '{"do":"social.createPost","creates":true,"with":{"text":"\${{ item.owner.displayName }} is live"},"as":["x"],"reads":[]}',
       case when n >= ${count - 50} then 'pending' when n % 100000 = 7 then 'unknown' when n % 20 = 0 then 'failed' when n % 50 = 5 then 'skipped' else 'sent' end,
       1, ${FIRST_MS} + n * 1000, ${FIRST_MS} + n * 1000, ${FIRST_MS} + n * 1000, ${FIRST_MS} + n * 1000, ${FIRST_MS} + n * 1000,
       '{"text":"Streamer s' || n || ' is live with 1,200 viewers: https://example.test/' || n || '"}',
       'streamer s' || n || ' is live with 1 200 viewers https example test ' || n || case when n % 2 = 0 then ' even' else ' odd' end || case when n < ${Math.floor(count / 2)} then ' early' else ' late' end,
       '{"id":"1/' || n || '"}', '1/' || n
     from number`,
  ];
}
