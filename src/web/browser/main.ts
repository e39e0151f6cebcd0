import { h, hydrate, signal } from '../views/preact.mjs';
import { createApiClient } from '../client/client.ts';
import { LanguageContext } from '../views/language.ts';
import { now } from '../views/parts/time.ts';
import { VIEW_LOADERS } from '../views/registry.ts';
import type { ShownView, View } from '../views/view.ts';
import { takeBulkActions } from './bulk-actions.ts';
import { element } from './element.ts';
import { takeForms } from './forms.ts';
import { listen } from './listen.ts';
import { takeShortcuts } from './shortcuts.ts';

/** The difference between the clock of the server and the clock of this machine is measured when the document arrived. */
const [navigation] = performance.getEntriesByType('navigation');
const arrivedAtMs = navigation instanceof PerformanceNavigationTiming ? performance.timeOrigin + navigation.responseStart : Date.now();

// The server wrote the text as this type.
const shown = JSON.parse(element('shown').textContent ?? '') as ShownView;
const load = VIEW_LOADERS[shown.path];
if (load) show(await load(), shown);

/** Hydrates a view, and keeps its data and its times current. */
function show({ Body, load, refreshOn, timeOf }: View, { address, reader, data: first, nowMs }: ShownView): void {
  const data = signal(first);
  const client = createApiClient();
  hydrate(
    h(() => h(LanguageContext.Provider, { value: reader.language }, h(Body, { data: data.value, address, reader })), null),
    element('view'),
  );

  let time = { nowMs, speed: 1, ...timeOf?.(first), atMs: arrivedAtMs };
  const tick = () => void (now.value = time.nowMs + (Date.now() - time.atMs) * time.speed);
  tick();
  setInterval(() => document.hidden || tick(), 1000);
  const refresh = listen(refreshOn, reader.language, async () => {
    const loaded = await load(client, address);
    if (timeOf) time = { ...timeOf(loaded), atMs: Date.now() };
    data.value = loaded;
    tick();
  });
  document.addEventListener('acted', refresh);
  takeForms();
  takeShortcuts(reader.language);
  takeBulkActions(reader.language);
  // The buttons are hidden without this script.
  document.documentElement.dataset['script'] = 'on';
}
