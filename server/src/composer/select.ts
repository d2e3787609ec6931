/** Selects the descriptions and the examples of the prompt, with reasons (docs/composer.md, step 3). */

import type { Json } from '../languages/yaml/node.ts';
import type { PackageArtifact, Passage } from '../skill/package.ts';
import { span } from '../text.ts';
import type { AuthoredBlock, TextPart } from './assemble.ts';
import type { ComposeError, ComposeRequest, Decision } from './composition.ts';
import { conditionError, conditionReason, evaluateStrictly } from './conditions.ts';
import type { TemplateEngine } from './render/engine.ts';
import { authoredParts } from './unrendered.ts';

export interface Selection {
  /** The blocks in the order of the prompt: descriptions, then examples. */
  readonly blocks: readonly AuthoredBlock[];
  readonly decisions: readonly Decision[];
  readonly errors: readonly ComposeError[];
}

type Decide = (artifact: PackageArtifact, taken: boolean, reason: string) => void;

/**
 * Selects the descriptions and the examples of the prompt (docs/composer.md, step 3). `context` contains the variables
 * that conditions can read. Returns an error for each condition that fails, and a decision on each description and
 * example.
 */
export function selectArtifacts(
  engine: TemplateEngine,
  request: ComposeRequest,
  context: Readonly<Record<string, Json>>,
): Selection {
  const { uri, artifacts } = request.skillPackage;
  const decisions: Decision[] = [];
  const errors: ComposeError[] = [];
  const descriptions: AuthoredBlock[] = [];
  const decide: Decide = (artifact, taken, reason) => {
    decisions.push(artifactDecision(uri, artifact, taken, reason));
  };
  for (const artifact of artifacts) {
    if (artifact.kind !== 'Description') continue;
    const condition = evaluateStrictly(engine, request.skillPackage, artifact.includeWhen, context);
    if (!condition.ok) {
      errors.push(conditionError(artifact.name, condition));
      decide(artifact, false, 'its include_when fails');
    } else if (!condition.holds) decide(artifact, false, conditionReason(artifact, false, context));
    else if (artifact.text.length === 0) decide(artifact, false, 'it has no text');
    else if (request.without.includes(artifact.id)) decide(artifact, false, 'left out by the invocation');
    else {
      decide(artifact, true, conditionReason(artifact, true, context));
      descriptions.push({
        part: 'context',
        artifact: artifact.id,
        title: artifact,
        textParts: authoredParts(uri, artifact.text, artifact.id),
      });
    }
  }
  const examples = selectExamples(request, (artifact, taken, reason) => {
    decide(artifact, taken, reason);
    for (const aside of taken ? artifact.asides : [])
      decisions.push(proseDecision(uri, aside, 'it is outside of Input and Output', artifact));
  });
  return { blocks: [...descriptions, ...examples], decisions, errors };
}

/** Selects examples up to the limit, first by the number of matching tags, then examples without tags. */
function selectExamples(request: ComposeRequest, decide: Decide): readonly AuthoredBlock[] {
  const { skillPackage, limits, without } = request;
  const artifacts = skillPackage.artifacts.filter(({ kind }) => kind === 'Example');
  if (artifacts.length === 0) return [];
  const matches = tagMatcher(request);
  const examples = artifacts.map((artifact) => ({ artifact, score: artifact.tags.filter(matches).length }));
  const isRelevant = ({ artifact, score }: (typeof examples)[number]): boolean =>
    score > 0 || artifact.tags.length === 0;
  // The sort is stable, so examples with the same score keep their order in the file.
  const ranked = examples.filter(isRelevant).sort((a, b) => b.score - a.score);
  let place = 0;
  const refuse = ({ id }: PackageArtifact, textParts: readonly TextPart[], why: string): string | undefined => {
    if (textParts.length === 0) return 'it has no text';
    if (place++ >= limits.examples) return `${why}; the limit of ${limits.examples} is reached`;
    return without.includes(id) ? 'left out by the invocation' : undefined;
  };
  const blocks = ranked.flatMap(({ artifact, score }): readonly AuthoredBlock[] => {
    const textParts = exampleTextParts(skillPackage.uri, artifact);
    const why = matchInWords(artifact.tags.length, score);
    const refusal = refuse(artifact, textParts, why);
    decide(artifact, refusal === undefined, refusal ?? why);
    return refusal === undefined ? [{ part: 'examples', artifact: artifact.id, title: artifact, textParts }] : [];
  });
  for (const { artifact } of examples.filter((one) => !isRelevant(one))) {
    decide(artifact, false, matchInWords(artifact.tags.length, 0));
  }
  return blocks;
}

function matchInWords(tags: number, score: number): string {
  if (tags === 0) return 'it has no tags, so it fits every request';
  if (tags === 1) return score === 0 ? 'its tag does not match' : 'its tag matches';
  if (score === 0) return `none of its ${tags} tags matches`;
  if (score === tags) return `all of its ${tags} tags match`;
  return `${score} of its ${tags} tags ${score === 1 ? 'matches' : 'match'}`;
}

const SUBHEADINGS = { input: '#### Input', output: '#### Output' } as const;

/** Returns an example's input and output under their headings; the text of the example if both are missing. */
function exampleTextParts(uri: string, artifact: PackageArtifact): readonly TextPart[] {
  const textParts: TextPart[] = [];
  for (const side of ['input', 'output'] as const) {
    const passage = artifact[side];
    if (!passage || passage.length === 0) continue;
    const heading = textParts.length > 0 ? `\n\n${SUBHEADINGS[side]}\n\n` : `${SUBHEADINGS[side]}\n\n`;
    textParts.push(
      { text: heading, kind: 'fixed', source: undefined, artifact: artifact.id },
      ...authoredParts(uri, passage, artifact.id),
    );
  }
  return textParts.length > 0 ? textParts : authoredParts(uri, artifact.text, artifact.id);
}

/** Returns a function that tests whether a tag occurs in the request or equals a parameter value, ignoring case. */
function tagMatcher({ userRequest, parameters }: ComposeRequest): (tag: string) => boolean {
  const words = ` ${wordsOf(userRequest)} `;
  const values = new Set<string>();
  collectValues(parameters, values);
  return (tag) => {
    const wanted = wordsOf(tag);
    return wanted !== '' && (words.includes(` ${wanted} `) || values.has(wanted));
  };
}

/** Returns the words of a string in lower case, separated by single spaces. */
const wordsOf = (text: string): string => (text.toLowerCase().match(/[\p{L}\p{M}\p{N}_]+/gu) ?? []).join(' ');

function collectValues(json: Json, values: Set<string>): void {
  const open: Json[] = [json];
  for (let top = open.pop(); top !== undefined; top = open.pop()) {
    if (typeof top === 'object' && top !== null) for (const value of Object.values(top)) open.push(value);
    else if (top !== null) values.add(wordsOf(String(top)));
  }
}

/** Returns a decision on an artifact; `reason` is a clause without a period. */
export const artifactDecision = (
  uri: string,
  { headingSpan, name, id }: PackageArtifact,
  taken: boolean,
  reason: string,
): Decision => ({ subject: 'artifact', uri, span: headingSpan, name, artifact: id, taken, reason });

/**
 * Returns a decision on prose that the composition does not use; `artifact` is the artifact that contains the prose.
 */
export function proseDecision(uri: string, passage: Passage, reason: string, artifact?: PackageArtifact): Decision {
  const place = span(passage[0]?.span.start ?? 0, passage.at(-1)?.span.end ?? 0);
  const name = artifact?.name ?? 'text outside of artifacts';
  return { subject: 'prose', uri, span: place, name, artifact: artifact?.id, taken: false, reason };
}
