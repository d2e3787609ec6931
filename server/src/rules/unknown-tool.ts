import type { Draft } from '../finding.ts';
import { didYouMean, nearestNames } from '../nearest.ts';
import type { Named } from '../skill/contract.ts';
import type { SkillDocument } from '../skill/document.ts';
import { AUTHORING_TOOLS } from '../vocabulary/known-names.ts';
import { catalogOf, isKnownTool, type WorkspaceIndex } from '../workspace/workspace-index.ts';
import { type Mention, toolMentionsByName } from './common/mentions.ts';
import { addToCatalog, declareIn, replaceName } from './common/naming-fixes.ts';
import { removeFromList, removeReference } from './common/removal.ts';
import { fixHere, type Rule, SKILLS } from './rule.ts';

/** A tool that is in no catalog: one finding a name, where it is declared, else where it is first named. */
export const unknownTool: Rule = {
  name: 'unknown-tool',
  code: 'unknown-tool',
  severity: 'error',
  evidence: { kind: 'spec', source: 'skill-format.md, section 5' },
  dialects: SKILLS,
  *check(index, document) {
    const catalog = catalogOf(index, document.uri);
    // A tool may be a contract in a file that is not read yet.
    if (!catalog.toolsKnown || index.partial) return;
    const mentions = toolMentionsByName(document);
    const declared = new Map<string, Named>(document.contract.tools.map((tool) => [tool.name, tool]));
    for (const name of new Set([...declared.keys(), ...mentions.keys()])) {
      if (isKnownTool(index, catalog, name) || AUTHORING_TOOLS.includes(name)) continue;
      const draft = draftOf(index, document, name, declared.get(name), mentions.get(name) ?? []);
      if (draft) yield draft;
    }
  },
};

function draftOf(
  index: WorkspaceIndex,
  document: SkillDocument,
  name: string,
  entry: Named | undefined,
  mentions: readonly Mention[],
): Draft | undefined {
  const place = entry ?? mentions[0];
  if (!place) return undefined;
  const catalog = catalogOf(index, document.uri);
  const near = nearestNames(name, [...catalog.tools.keys(), ...index.graph.tools]);
  const names = [...(entry ? [entry.span] : []), ...mentions.map(({ nameSpan }) => nameSpan)];
  const others = mentions.filter((mention) => mention !== place);
  const removals = others.flatMap(({ span, isReference }) => (isReference ? [removeReference(document, span)] : []));
  return {
    span: place.span,
    message: `No tool is called \`${name}\`: the catalog does not declare it, so no caller can hold it.${didYouMean(near)}`,
    related: others.map(({ span }) => ({ uri: document.uri, span, message: `\`${name}\` is named here too` })),
    fixes: [
      ...replaceName(document, names, near),
      ...(entry ? [] : declareIn(document, 'tools', name, `Declare \`${name}\` in \`tools\``)),
      ...addToCatalog(index, catalog, 'tools', stub(name), `Add \`${name}\` to the catalog`),
      ...(entry
        ? removeFromList(document, 'tools', entry.span, `Remove \`${name}\` from \`tools\``)
        : 'isReference' in place && (place as Mention).isReference
          ? [fixHere(document, 'Remove the reference', [removeReference(document, place.span), ...removals])]
          : []),
    ],
  };
}

/** A descriptor to fill in. */
const stub = (name: string): string =>
  `{name: ${name}, description: "What ${name} does", input_schema: {}, operation: READ}`;
