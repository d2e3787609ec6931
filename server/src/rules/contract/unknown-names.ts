/** Findings about tools and interrupts that a file declares or mentions but that the catalog does not declare. */
import type { Analysis } from '../../analysis/analysis.ts';
import { addToCatalog, declareIn, replaceName } from '../../analysis/name-fixes.ts';
import { removeFromList, removeMentions } from '../../analysis/removals.ts';
import type { Draft, Fix } from '../../finding.ts';
import { placesHere } from '../../finding.ts';
import { didYouMean, nearestNames } from '../../nearest.ts';
import type { Named } from '../../skill/contract.ts';
import type { Mentions } from '../../skill/mentions.ts';
import type { SkillFile } from '../../skill/skill-file.ts';

interface Names {
  /** The key under which the contract and the catalog list declarations. */
  readonly key: 'tools' | 'interrupts';
  readonly mentions: Mentions;
  readonly isKnown: (name: string) => boolean;
  /** Returns the names from which a suggestion is chosen. */
  readonly known: () => readonly string[];
  /** Returns the message. `suggestion` is empty, or begins with a space. */
  readonly message: (name: string, suggestion: string) => string;
  /** Returns the YAML item that declares a name in the catalog. */
  readonly catalogItem: (name: string) => string;
}

/** Returns a fix with the edits of a declaration, without which the name cannot be mentioned. */
function withEdits(fix: Fix, others: readonly Fix[]): Fix {
  const all = [fix, ...others].flatMap(({ edits }) => edits);
  const uris = [...new Set(all.map(({ uri }) => uri))];
  const editsOf = (uri: string) => all.flatMap((one) => (one.uri === uri ? one.edits : []));
  return { ...fix, edits: uris.map((uri) => ({ uri, edits: editsOf(uri) })) };
}

/** Reports each unknown name once: where it is declared, or else where it is first mentioned. */
export function* unknownNames(analysis: Analysis, file: SkillFile, names: Names): Iterable<Draft> {
  const { key, mentions, isKnown, known, message, catalogItem } = names;
  const declared = new Map<string, Named>(file.contract[key].map((entry) => [entry.name, entry]));
  for (const name of new Set([...declared.keys(), ...mentions.keys()])) {
    const entry = declared.get(name);
    const mentioned = mentions.get(name) ?? [];
    const [first, ...others] = entry ? [entry, ...mentioned] : mentioned;
    if (!first || isKnown(name)) continue;
    const near = nearestNames(name, known());
    const places = [...(entry ? [entry.span] : []), ...mentioned.map(({ nameSpan }) => nameSpan)];
    const catalog = analysis.catalogOf(file.uri);
    yield {
      span: first.span,
      message: message(name, didYouMean(near)),
      related: placesHere(file, others, `\`${name}\` is also used here`),
      fixes: [
        ...near.flatMap((right) =>
          replaceName(file, places, [right]).map((fix) =>
            entry || declared.has(right) ? fix : withEdits(fix, declareIn(file, key, right, '')),
          ),
        ),
        ...addToCatalog(analysis, catalog, key, catalogItem(name), `Add \`${name}\` to the catalog`).map((fix) =>
          entry ? fix : withEdits(fix, declareIn(file, key, name, '')),
        ),
        // Without the declaration, the finding would move to the mention.
        ...(entry && mentioned.length === 0
          ? removeFromList(file, key, entry.span, `Remove \`${name}\` from \`${key}\``)
          : entry
            ? []
            : removeMentions(file, mentioned)),
      ],
    };
  }
}
