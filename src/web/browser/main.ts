import { h, hydrate, signal } from '../views/preact.mjs';
import { LanguageContext } from '../views/language.ts';
import { now } from '../views/parts/time.ts';
import { VIEW_PATHS } from '../views/paths.ts';
import { VIEW_LOADERS } from '../views/registry.ts';
import type { ShownView, View } from '../views/view.ts';
import { takeBulkActions } from './bulk-actions.ts';
import { call } from './call.ts';
import type { takeDiscord } from './discord.ts';
import { element } from './element.ts';
import { takeForms } from './forms.ts';
import { keepFocus } from './keep-focus.ts';
import { keepTyped } from './keep-typed.ts';
import { listen } from './listen.ts';
import { watchMovedEntries } from './moved-entries.ts';
import { resetFilters } from './reset-filters.ts';
import { takeShortcuts } from './shortcuts.ts';

/** The difference between the clock of the server and the clock of this machine is measured when the document arrived. */
const [navigation] = performance.getEntriesByType('navigation');
const arrivedAtMs = navigation instanceof PerformanceNavigationTiming ? performance.timeOrigin + navigation.responseStart : Date.now();

/** The scripts of views that take more than forms. */
const SCRIPTS: Readonly<Record<string, () => Promise<typeof takeDiscord>>> = {
  [VIEW_PATHS.sandboxDiscord]: async () => (await import('./discord.ts')).takeDiscord,
};

// The event can come while the view loads.
resetFilters();

// The server wrote the text as this type.
const shown = JSON.parse(element('shown').textContent ?? '') as ShownView;
const load = VIEW_LOADERS[shown.path];
if (load) {
  const [view, take] = await Promise.all([load(), SCRIPTS[shown.path]?.()]);
  const data = show(view, shown);
  take?.(data, shown.reader.language);
}

/** Hydrates a view, and keeps its data and its times current. Returns its data. */
function show(
  { Body, load, refreshOn, refreshAfterMs, timeOf }: View,
  { address, reader, data: first, eventId, nowMs }: ShownView,
): { readonly value: unknown } {
  const data = signal(first);
  hydrate(
    h(() => h(LanguageContext.Provider, { value: reader.language }, h(Body, { data: data.value, address, reader })), null),
    element('view'),
  );

  const entries = watchMovedEntries();
  let time = { nowMs, speed: 1, ...timeOf?.(first), atMs: arrivedAtMs };
  const tick = () => void (now.value = time.nowMs + (Date.now() - time.atMs) * time.speed);
  tick();
  setInterval(() => document.hidden || tick(), 1000);
  /** The number of actions of the reader, and of those that the shown data is later than. */
  let [acted, loadedAfter] = [0, 0];
  const { refresh, refreshNow } = listen({ kinds: refreshOn, after: eventId, language: reader.language }, async () => {
    const after = acted;
    const loaded = await load({ call }, address, reader.language, { data: data.value, isActedOn: after > loadedAfter });
    loadedAfter = after;
    if (timeOf) time = { ...timeOf(loaded), atMs: Date.now() };
    entries.update(() => (data.value = loaded));
    tick();
    refreshLater();
  });
  let later: ReturnType<typeof setTimeout> | undefined;
  function refreshLater(): void {
    if (!refreshAfterMs) return;
    clearTimeout(later);
    later = setTimeout(() => (document.hidden ? refreshLater() : refresh()), refreshAfterMs(data.value));
  }
  refreshLater();
  document.addEventListener('acted', () => {
    acted++;
    refreshNow();
  });
  takeForms(entries);
  keepFocus();
  keepTyped();
  takeShortcuts(reader.language);
  takeBulkActions(reader.language);
  // The buttons are hidden without this script.
  document.documentElement.dataset['script'] = 'on';
  return data;
}
