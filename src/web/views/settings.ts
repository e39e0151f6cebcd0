import type { About, Person, Session, Token } from '../client/records.ts';
import { addressWith, firstIn } from './addresses.ts';
import { html } from './html.ts';
import { LANGUAGES } from '../language.ts';
import { useLanguage, useTexts } from './language.ts';
import { PeopleSection } from './parts/people-section.ts';
import { TokensSection } from './parts/tokens-section.ts';
import { VIEW_PATHS } from './paths.ts';
import type { VNode } from './preact.mjs';
import { SETTINGS_TEXTS } from './texts/settings.ts';
import type { Address, BodyProps, View } from './view.ts';

const SHOWN = 50;

interface SettingsData {
  readonly session: Pick<Session, 'name' | 'role' | 'signedInWith'>;
  readonly about: About;
  /** Absent for readers who may not see access. */
  readonly access?: AccessData | undefined;
}

interface AccessData {
  /** The people of this page. */
  readonly people: readonly Person[];
  readonly peopleCount: number;
  /** The only admin with a password, who can be neither removed nor changed. */
  readonly lastAdmin?: string | undefined;
  /** The tokens of this page. Tokens that are not revoked come first. */
  readonly tokens: readonly Token[];
  readonly tokenCount: number;
}

/** The language of the page, people, tokens, and what is installed. */
export const settings: View<SettingsData> = {
  path: VIEW_PATHS.settings,
  title: (_, language) => SETTINGS_TEXTS[language].title,
  refreshOn: [],
  async load(client, address) {
    const [{ name, role, signedInWith }, about] = await Promise.all([client.call('getSession', {}), client.call('getAbout', {})]);
    const session = { name, role, signedInWith };
    if (role !== 'admin') return { session, about };
    const [people, tokens] = await Promise.all([client.call('listPeople', {}), client.call('listTokens', {})]);
    const first = firstOf(address);
    const admins = people.items.filter((one) => one.role === 'admin' && one.kind === 'password');
    const access = {
      people: people.items.slice(first.people, first.people + SHOWN),
      peopleCount: people.items.length,
      lastAdmin: admins.length === 1 ? admins[0]?.id : undefined,
      tokens: tokens.items
        .toSorted((a, b) => Number(a.revokedAt !== undefined) - Number(b.revokedAt !== undefined))
        .slice(first.tokens, first.tokens + SHOWN),
      tokenCount: tokens.items.length,
    };
    return { session, about, access };
  },
  Body,
};

/** How many people and tokens are before the first ones that the address shows. */
function firstOf({ query }: Address): { readonly people: number; readonly tokens: number } {
  return { people: firstIn(query), tokens: firstIn({ from: query['tokens'] ?? '' }) };
}

function Body({ data: { session, about, access }, address }: BodyProps<SettingsData>): VNode {
  const t = useTexts(SETTINGS_TEXTS);
  const first = firstOf(address);
  const to = (people: number, tokens: number): string =>
    addressWith(VIEW_PATHS.settings, { from: people === 0 ? '' : String(people), tokens: tokens === 0 ? '' : String(tokens) });
  return html`<div class="view">
    <h1>${t.title}</h1>
    <${You} session=${session} />
    ${access && html`<${PeopleSection} people=${access.people} lastAdmin=${access.lastAdmin} />`}
    ${access && html`<${Pager} label=${t.pages} first=${first.people} count=${access.peopleCount} to=${(people: number) => to(people, first.tokens)} />`}
    ${access && html`<${TokensSection} tokens=${access.tokens} />`}
    ${access && html`<${Pager} label=${t.tokenPages} first=${first.tokens} count=${access.tokenCount} to=${(tokens: number) => to(first.people, tokens)} />`}
    <section class="panel padded" aria-labelledby="audit">
      <h2 id="audit">${t.audit}</h2>
      <p><a href=${VIEW_PATHS.audit}>${t.auditLink}</a></p>
    </section>
    <${Installed} about=${about} />
  </div>`;
}

interface PagerProps {
  readonly label: string;
  /** How many rows are before this page. */
  readonly first: number;
  readonly count: number;
  /** The address of the page after so many rows. */
  readonly to: (first: number) => string;
}

function Pager({ label, first, count, to }: PagerProps): VNode | undefined {
  const t = useTexts(SETTINGS_TEXTS);
  if (count <= SHOWN && first === 0) return undefined;
  return html`<nav class="pager" aria-label=${label}>
    ${first > 0 ? html`<a href=${to(0)}>${t.first}</a>` : html`<span></span>`}
    ${first + SHOWN < count ? html`<a href=${to(first + SHOWN)} rel="next">${t.next}</a>` : html`<span></span>`}
  </nav>`;
}

function You({ session: { name, role, signedInWith } }: Pick<SettingsData, 'session'>): VNode {
  const t = useTexts(SETTINGS_TEXTS);
  const language = useLanguage();
  return html`<section class="panel padded" aria-labelledby="you">
    <h2 id="you">${t.you}</h2>
    <p>
      <strong><bdi>${name}</bdi></strong
      >, ${t.roles[role]}, ${t.signedIn[signedInWith]}. <span class="muted">${t.roleTitles[role]}</span>
    </p>
    <form class="filters" action="/language">
      <label>
        ${t.language}
        <select name="language">
          ${LANGUAGES.map((one) => html`<option key=${one} value=${one} lang=${one} selected=${one === language}>${t.languages[one]}</option>`)}
          <option value="">${t.languages['']}</option>
        </select>
      </label>
      <p class="submit"><button>${t.use}</button></p>
    </form>
    <p class="scripted">
      <label><input type="checkbox" id="keys" defaultChecked /> ${t.keys}</label>
    </p>
  </section>`;
}

function Installed({ about: { version, license, node, database, schema } }: Pick<SettingsData, 'about'>): VNode {
  const t = useTexts(SETTINGS_TEXTS);
  const facts = [
    [t.version, version],
    [t.node, node],
    [t.database, `${database}, ${t.schema(schema)}`],
  ] as const;
  return html`<section class="panel padded" aria-labelledby="about">
    <h2 id="about">${t.about}</h2>
    <dl class="facts">
      ${facts.map(
        ([name, text]) =>
          html`<div key=${name}>
            <dt>${name}</dt>
            <dd>${text}</dd>
          </div>`,
      )}
      <div>
        <dt>${t.license}</dt>
        <dd>${license}. ${t.packages}</dd>
      </div>
      <div>
        <dt>${t.api}</dt>
        <dd><a href="/api/openapi.json">${t.description}</a></dd>
      </div>
    </dl>
  </section>`;
}
