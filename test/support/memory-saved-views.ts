import type { SavedView, SavedViews } from '#src/admin/queries/saved-views.ts';

/** Saved views in memory. */
export function memorySavedViews(): SavedViews & { readonly size: number } {
  const kept = new Map<string, SavedView>();
  return {
    get size() {
      return kept.size;
    },
    async keep(view) {
      const known = [...kept].find(([, one]) => one.command === view.command && one.options === view.options);
      const id = known?.[0] ?? `kept-${kept.size + 1}`;
      kept.set(id, view);
      return id;
    },
    find: async (id) => kept.get(id),
  };
}
