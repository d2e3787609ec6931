/**
 * What is left to say of samples that do not compose (rule `sample-fails`). The composer names everything that is in its
 * way; most of that has a rule of its own, which reports it once, where it stands. One defect, one finding: only what no
 * other rule can see is a matter of the sample.
 */
import type { ComposeError } from '../composer/composition.ts';
import type { SkillDocument } from '../skill/document.ts';
import { overlaps, type Span } from '../text.ts';
import { AUTHORING_TOOLS } from '../vocabulary/known-names.ts';
import { closureOf } from '../workspace/composing.ts';
import { catalogOf, isKnownTool, type SampleFailure, type WorkspaceIndex } from '../workspace/workspace-index.ts';
import { rules } from './index.ts';

/** A sample with the composer's errors; none where it composes. */
export interface SampleOutcome {
  readonly sample: string;
  readonly errors: readonly ComposeError[];
}

/** `index` is the snapshot that the samples were composed from: the places of the errors are places in its texts. */
export function findSampleFailures(
  index: WorkspaceIndex,
  document: SkillDocument,
  outcomes: readonly SampleOutcome[],
): readonly SampleFailure[] {
  return outcomes.flatMap(({ sample, errors }) => {
    const own = document.contract.samples.find(({ name }) => name === sample);
    return errors
      .filter((error) => !isReported(index, document, error))
      .map(({ uri, span, message, suggestion }) => ({
        sample,
        message: isAdvice(suggestion) ? `${message} ${suggestion}` : message,
        cause: uri === document.uri && own && overlaps(own.span, span) ? undefined : { uri, span },
      }));
  });
}

/** A bare name stands in the message already, and the finding does not stand at "this place". */
const isAdvice = (suggestion: string): boolean => suggestion.includes(' ') && !suggestion.includes('at this place');

/** Whether a rule reports the cause of the error already, here or in the file of a composed skill. */
function isReported(index: WorkspaceIndex, document: SkillDocument, error: ComposeError): boolean {
  switch (error.kind) {
    case 'MissingRequiredField':
      // For the framing no single rule answers: a body without a word has none.
      return error.subject !== 'framing' || isMarked(index, document, FRAMING_RULES, error.span);
    case 'ParameterMismatch':
      return true;
    case 'UnknownTool':
      return !isDeclaredAndKnown(index, document, error);
    case 'MalformedTemplate':
      return isTemplateReported(index, document, error.span);
    case 'CapabilityNarrowing':
    case 'ArtifactBudgetExceeded':
      return false;
  }
}

const FRAMING_RULES = ['missing-key', 'missing-frontmatter', 'invalid-yaml', 'invalid-value', 'unknown-artifact'];

/** What is unknown, or is not in `tools`, has rules of its own. The rest is there, but not for this caller. */
function isDeclaredAndKnown(index: WorkspaceIndex, document: SkillDocument, { subject, span }: ComposeError): boolean {
  const { contract } = document;
  const catalog = catalogOf(index, document.uri);
  const known = !catalog.toolsKnown || isKnownTool(index, catalog, subject) || AUTHORING_TOOLS.includes(subject);
  const inComposed = contract.composes.some((entry) => overlaps(entry.span, span));
  return known && (inComposed || contract.tools.some(({ name }) => name === subject));
}

const TEMPLATE_RULES = [
  'undefined-variable',
  'unknown-filter',
  'unknown-test',
  'missing-include',
  'invalid-condition',
  'unknown-artifact',
];

function isTemplateReported(index: WorkspaceIndex, document: SkillDocument, place: Span): boolean {
  // Where one tag does not parse, what the engine says of the others is a cascade.
  if (marksOf(index, document, ['template-syntax']).length > 0) return true;
  if (isMarked(index, document, TEMPLATE_RULES, place)) return true;
  // What fails in a composed skill is shown at the entry that leads there; its file has the finding.
  if (!document.contract.composes.some(({ span }) => overlaps(span, place))) return false;
  const root = index.graph.skills.get(document.uri);
  return (root ? closureOf(index.graph, root) : []).some(({ uri }) => {
    const composed = index.documents.get(uri);
    return composed !== undefined && marksOf(index, composed, [...TEMPLATE_RULES, 'template-syntax']).length > 0;
  });
}

const isMarked = (index: WorkspaceIndex, document: SkillDocument, names: readonly string[], place: Span): boolean =>
  marksOf(index, document, names).some((span) => overlaps(span, place) || span.start === place.start);

/** All places that the findings of these rules mark in the document, the related ones included. */
const marksOf = (index: WorkspaceIndex, document: SkillDocument, names: readonly string[]): readonly Span[] =>
  rules
    .filter(({ name, dialects }) => names.includes(name) && dialects.includes(document.dialect))
    .flatMap((rule) => [...rule.check(index, document, rules)])
    .flatMap(({ span, related = [] }) => [
      span,
      ...related.flatMap((place) => (place.uri === document.uri ? [place.span] : [])),
    ]);
