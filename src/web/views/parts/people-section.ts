import type { Person } from '../../client/records.ts';
import { html } from '../html.ts';
import { useTexts } from '../language.ts';
import type { VNode } from '../preact.mjs';
import { SETTINGS_TEXTS } from '../texts/settings.ts';
import { ActionForm } from './action-form.ts';
import { Badge } from './badge.ts';

const ROLES = ['viewer', 'editor', 'admin'] as const;

interface PeopleSectionProps {
  readonly people: readonly Person[];
  /** The only admin with a password, who can be neither removed nor changed. */
  readonly lastAdmin: string | undefined;
}

/** The people who may sign in. */
export function PeopleSection({ people, lastAdmin }: PeopleSectionProps): VNode {
  const t = useTexts(SETTINGS_TEXTS);
  return html`<section class="panel" aria-labelledby="people">
    <div class="padded"><h2 id="people">${t.people}</h2></div>
    ${people.length === 0 && html`<p class="empty muted">${t.noPeople}</p>`}
    <ul class="rows">
      ${people.map((person) => html`<${PersonRow} key=${person.id} person=${person} isLastAdmin=${person.id === lastAdmin} />`)}
    </ul>
    <details class="padded scripted">
      <summary>${t.addPerson}</summary>
      <${ActionForm} operation="addPerson" input=${{}} done=${t.added} class="filters plain-form">
        <label>${t.name} <input name="name" required maxlength="64" autocomplete="off" /></label>
        <label>${t.role} <${RoleField} role="viewer" /></label>
        <label
          >${t.password} <input type="password" name="password" required minlength="12" autocomplete="new-password" title=${t.passwordHint}
        /></label>
        <p class="submit"><button>${t.add}</button></p>
      <//>
    </details>
  </section>`;
}

function PersonRow({ person: { id, name, kind, role }, isLastAdmin }: { readonly person: Person; readonly isLastAdmin: boolean }): VNode {
  const t = useTexts(SETTINGS_TEXTS);
  const of = html`<span class="unseen"> ${t.of(name)}</span>`;
  // Only admins make tokens.
  const roleChanged = role === 'admin' ? t.adminChanged : t.roleChanged;
  return html`<li>
    <p>
      <strong><bdi>${name}</bdi></strong> <${Badge} word=${t.roles[role]} tone="calm" title=${t.roleTitles[role]} />${' '}
      <span class="muted">${t.kinds[kind]}</span>
    </p>
    <div class="forms">
      ${
        // The role of a member comes from Discord.
        kind === 'password' &&
        !isLastAdmin &&
        html`<${ActionForm} operation="changeRole" input=${{ person: id }} done=${roleChanged(name)} keepsFields>
          <${RoleField} role=${role} label=${`${t.role} ${t.of(name)}`} />
          <button>${t.change}<span class="unseen"> ${t.role} ${t.of(name)}</span></button>
        <//>`
      }
      <${ActionForm} operation="signOutPerson" input=${{ person: id }} done=${t.signedOut(name)}><button>${t.signOut}${of}</button><//>
      ${
        !isLastAdmin &&
        html`<${ActionForm}
          operation="removePerson"
          input=${{ person: id }}
          done=${t.removed(name)}
          question=${t.removeQuestion(name, kind)}
        >
          <button>${t.remove}<span class="unseen"> ${name}</span></button>
        <//>`
      }
    </div>
    ${
      kind === 'password' &&
      html`<details class="scripted closes">
        <summary>${t.newPassword}<span class="unseen"> ${t.of(name)}</span></summary>
        <${ActionForm} operation="changePassword" input=${{ person: id }} done=${t.passwordSet(name)} class="filters plain-form">
          <label
            >${t.newPassword}
            <input type="password" name="password" required minlength="12" autocomplete="new-password" title=${t.passwordHint}
          /></label>
          <p class="submit"><button>${t.setPassword}${of}</button></p>
        <//>
      </details>`
    }
  </li>`;
}

/** The choice of a role; its `label` is for forms without a visible one. */
function RoleField({ role, label }: Pick<Person, 'role'> & { readonly label?: string }): VNode {
  const t = useTexts(SETTINGS_TEXTS);
  return html`<select name="role" aria-label=${label}>
    ${ROLES.map((one) => html`<option key=${one} value=${one} selected=${one === role}>${t.roles[one]}</option>`)}
  </select>`;
}
