import type { Operations } from '../../client/operations.ts';
import type { SandboxStreamer } from '../../client/records.ts';
import { addressWith } from '../addresses.ts';
import { html } from '../html.ts';
import { useLanguage, useTexts } from '../language.ts';
import { VIEW_PATHS } from '../paths.ts';
import type { VNode } from '../preact.mjs';
import { SANDBOX_TEXTS } from '../texts/sandbox.ts';
import { ActionForm } from './action-form.ts';
import { Badge } from './badge.ts';
import { TimeSince } from './time.ts';

/** The viewers that a raid brings: enough for each list of the most watched streams. */
const RAID_VIEWERS = 25_000;

/** The values of the address that select streamers. */
export interface StreamerChoice {
  readonly text?: string | undefined;
  readonly state?: 'live' | 'offline' | undefined;
  readonly cursor?: string | undefined;
}

interface StreamsProps {
  readonly streamers: readonly SandboxStreamer[];
  /** The start of the next page. */
  readonly cursor: string | undefined;
  readonly games: readonly string[];
  readonly choice: StreamerChoice;
  readonly canAct: boolean;
}

/** The streamers of the sandbox with the buttons that change their streams. */
export function SandboxStreams({ streamers, cursor, games, choice: { text, state, cursor: start }, canAct }: StreamsProps): VNode {
  const t = useTexts(SANDBOX_TEXTS);
  const states = ['live', 'offline'] as const;
  return html`<section class="panel padded" aria-labelledby="streams">
    <h2 id="streams">${t.streams}</h2>
    <form class="filters" action=${VIEW_PATHS.sandbox} role="search">
      <label>${t.searchLabel} <input type="search" name="q" defaultValue=${text ?? ''} maxlength="100" /></label>
      <label>
        ${t.state}
        <select name="state">
          <option value="">${t.any}</option>
          ${states.map((name) => html`<option key=${name} value=${name} selected=${name === state}>${t[name]}</option>`)}
        </select>
      </label>
      <p class="submit"><button>${t.search}</button></p>
    </form>
    ${streamers.length === 0 && html`<p class="muted">${t.nobody}</p>`}
    <ol class="streamers">
      ${streamers.map((streamer) => html`<${Row} key=${streamer.user.id} streamer=${streamer} games=${games} canAct=${canAct} />`)}
    </ol>
    <nav class="pager" aria-label=${t.streams}>
      ${start === undefined ? html`<span></span>` : html`<a href=${addressWith(VIEW_PATHS.sandbox, { q: text, state })}>${t.first}</a>`}
      ${cursor === undefined ? html`<span></span>` : html`<a href=${addressWith(VIEW_PATHS.sandbox, { q: text, state, cursor })} rel="next">${t.more}</a>`}
    </nav>
  </section>`;
}

interface RowProps extends Pick<StreamsProps, 'games' | 'canAct'> {
  readonly streamer: SandboxStreamer;
}

function Row({ streamer: { user, live }, games, canAct }: RowProps): VNode {
  const t = useTexts(SANDBOX_TEXTS);
  const format = new Intl.NumberFormat(useLanguage());
  return html`<li>
    <div>
      <p>
        <bdi class="what">${user.displayName}</bdi>${' '}
        <${Badge} word=${live ? t.live : t.offline} tone=${live ? 'good' : 'calm'} title=${live ? t.liveTitle : t.offlineTitle} />
      </p>
      ${live && html`<p class="quote" dir="auto">${live.title}</p>`}
      ${
        live &&
        html`<p class="meta">
          <bdi>${live.game.name}</bdi><span>${t.viewers(format.format(live.viewers))}</span
          ><span>${t.started} <${TimeSince} at=${live.startedAt} /></span>
        </p>`
      }
    </div>
    ${canAct && html`<${Buttons} user=${user} live=${live} games=${games} />`}
  </li>`;
}

function Buttons({ user: person, live, games }: Pick<RowProps, 'games'> & SandboxStreamer): VNode {
  const t = useTexts(SANDBOX_TEXTS);
  const format = new Intl.NumberFormat(useLanguage());
  const { handle: user, displayName: name } = person;
  const of = html`<span class="unseen"> ${name}</span>`;
  const choice = (first: string): VNode =>
    html`<select name="game" aria-label=${t.gameOf(name)} required=${live !== undefined}>
      <option value="">${first}</option>
      ${games.map((game) => html`<option key=${game} value=${game}>${game}</option>`)}
    </select>`;
  if (!live)
    return html`<${WorldForm} order=${{ do: 'goLive', user }} done=${t.isLive(name)}
      >${choice(t.usualGame)}<button>${t.goLive}${of}</button><//
    >`;
  const raid = { do: 'setViewers', user, viewers: live.viewers + RAID_VIEWERS };
  return html`<div class="stream-actions">
    <${WorldForm} order=${{ do: 'changeGame', user }} done=${t.hasGame(name)}>${choice(t.game)}<button>${t.changeGame}${of}</button><//>
    <${WorldForm} order=${raid} done=${t.isRaided(name)}>
      <button title=${t.raidTitle(format.format(RAID_VIEWERS))}>${t.raid}${of}</button>
    <//>
    <${WorldForm} order=${{ do: 'end', user }} done=${t.hasEnded(name)}><button>${t.end}${of}</button><//>
  </div>`;
}

interface WorldFormProps {
  readonly order: Partial<Operations['changeSandboxWorld']['input']>;
  readonly done: string;
  readonly children?: unknown;
}

function WorldForm({ order, done, children }: WorldFormProps): VNode {
  return html`<${ActionForm} operation="changeSandboxWorld" input=${order} done=${done}>${children}<//>`;
}
