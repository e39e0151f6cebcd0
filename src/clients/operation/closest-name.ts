/** The known name that is closest to a mistyped one. Undefined if none is close. */
export function closestName(name: string, known: Iterable<string>): string | undefined {
  const wanted = name.toLowerCase().slice(0, 100);
  let best: { readonly name: string; readonly steps: number; readonly edits: number } | undefined;
  for (const candidate of known) {
    // A typing error rarely affects the first letter. If one name begins with the other, the rest was probably left out or added.
    const lowerCase = candidate.toLowerCase();
    const isBeginning = lowerCase.startsWith(wanted) || wanted.startsWith(lowerCase);
    const edits = editSteps(wanted, lowerCase);
    const steps = edits / (isBeginning ? 2 : 1) + (lowerCase[0] === wanted[0] ? 0 : 0.5);
    const isCloser = best === undefined || steps < best.steps || (steps === best.steps && edits < best.edits);
    if (isCloser && steps <= Math.max(name.length, candidate.length) / 3) best = { name: candidate, steps, edits };
  }
  return best?.name;
}

/** The hint for an unknown name: the closest known name, or all known names. `none` replaces an empty list. */
export function knownNameHint(name: string, known: readonly string[], none: string): string {
  const meant = closestName(name, known);
  if (meant !== undefined) return `did you mean ${meant}?`;
  return known.length > 0 ? `available: ${known.join(', ')}` : none;
}

/** The sentence `. Did you mean …?` after a message about an unknown name; empty if no known name is close. */
export function nameSuggestion(name: string, known: Iterable<string>): string {
  const meant = closestName(name, known);
  return meant === undefined ? '' : `. Did you mean ${meant}?`;
}

/** The number of inserted, deleted, replaced or swapped letters between two names. */
export function editSteps(from: string, to: string): number {
  let before: number[] = [];
  let above = Array.from({ length: to.length + 1 }, (_, column) => column);
  for (let row = 1; row <= from.length; row++) {
    const line = [row];
    for (let column = 1; column <= to.length; column++) {
      const same = from[row - 1] === to[column - 1];
      const swapped = row > 1 && column > 1 && from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1];
      line.push(
        Math.min(
          cell(above, column) + 1,
          cell(line, column - 1) + 1,
          cell(above, column - 1) + (same ? 0 : 1),
          swapped ? cell(before, column - 2) + 1 : Infinity,
        ),
      );
    }
    before = above;
    above = line;
  }
  return cell(above, to.length);
}

function cell(line: readonly number[], column: number): number {
  return line[column] ?? Infinity;
}
