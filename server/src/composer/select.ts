/** Which descriptions and examples the prompt takes, and why (docs/composer.md, step 3). */

import type { Json } from '../languages/yaml/node.ts';
import type { PackageArtifact } from '../skill/package.ts';
import type { Block, Stretch } from './assemble.ts';
import type { ComposeError, ComposeRequest, Decision } from './composition.ts';
import { conditionError, evaluate } from './conditions.ts';
import { artifactDecision } from './decide.ts';
import { authored } from './framing.ts';
import type { TemplateEngine } from './render/engine.ts';

export interface Selection {
  /** In the order of the prompt: descriptions, then examples. */
  readonly blocks: readonly Block[];
  readonly decisions: readonly Decision[];
  readonly errors: readonly ComposeError[];
}

type Decide = (artifact: PackageArtifact, taken: boolean, reason: string) => void;

export function selectArtifacts(
  engine: TemplateEngine,
  request: ComposeRequest,
  context: Readonly<Record<string, Json>>,
): Selection {
  const { uri, artifacts } = request.skillPackage;
  const decisions: Decision[] = [];
  const errors: ComposeError[] = [];
  const descriptions: Block[] = [];
  const decide: Decide = (artifact, taken, reason) => {
    decisions.push(artifactDecision(uri, artifact, taken, reason));
  };
  for (const artifact of artifacts) {
    if (artifact.kind !== 'Description') continue;
    const condition = evaluate(engine, uri, artifact.includeWhen, context);
    if (!condition.ok) {
      errors.push(conditionError(artifact.name, condition));
      decide(artifact, false, 'its include_when fails');
    } else if (!condition.holds) decide(artifact, false, 'include_when is false');
    else if (artifact.text.length === 0) decide(artifact, false, 'it has no text');
    else if (request.without.includes(artifact.id)) decide(artifact, false, 'left out by the invocation');
    else {
      decide(artifact, true, artifact.includeWhen ? 'include_when is true' : 'it has no condition');
      descriptions.push({
        part: 'context',
        artifact: artifact.id,
        title: artifact,
        stretches: authored(uri, artifact.text, artifact.id),
      });
    }
  }
  const examples = selectExamples(request, decide);
  return { blocks: [...descriptions, ...examples], decisions, errors };
}

/** Highest score first, ties in document order (the sort is stable), up to the limit. */
function selectExamples(request: ComposeRequest, decide: Decide): readonly Block[] {
  const { skillPackage, limits, without } = request;
  const matches = tagMatcher(request);
  const ranked = skillPackage.artifacts
    .filter(({ kind }) => kind === 'Example')
    .map((artifact) => ({
      artifact,
      score: artifact.tags.filter(matches).length,
      stretches: exampleStretches(skillPackage.uri, artifact),
    }))
    .filter(({ artifact, stretches }) => {
      if (stretches.length === 0) decide(artifact, false, 'it has no text');
      return stretches.length > 0;
    })
    .sort((a, b) => b.score - a.score);
  return ranked.flatMap(({ artifact, score, stretches }, at) => {
    const matched =
      artifact.tags.length === 0 ? 'it has no tags' : `${score} of its ${artifact.tags.length} tags match`;
    if (at >= limits.examples) {
      decide(artifact, false, `${matched}; the limit of ${limits.examples} is reached`);
      return [];
    }
    if (without.includes(artifact.id)) {
      decide(artifact, false, 'left out by the invocation');
      return [];
    }
    decide(artifact, true, matched);
    return [{ part: 'examples' as const, artifact: artifact.id, title: artifact, stretches }];
  });
}

const SUBHEADINGS = { input: '#### Input', output: '#### Output' } as const;

/** Input and output under their own headings; an example that has neither goes in as it is written. */
function exampleStretches(uri: string, artifact: PackageArtifact): readonly Stretch[] {
  const stretches: Stretch[] = [];
  for (const side of ['input', 'output'] as const) {
    const passage = artifact[side];
    if (!passage || passage.length === 0) continue;
    const heading = stretches.length > 0 ? `\n\n${SUBHEADINGS[side]}\n\n` : `${SUBHEADINGS[side]}\n\n`;
    stretches.push(
      { text: heading, kind: 'fixed', source: undefined, artifact: artifact.id },
      ...authored(uri, passage, artifact.id),
    );
  }
  return stretches.length > 0 ? stretches : authored(uri, artifact.text, artifact.id);
}

/** Whether a tag occurs as a word in the request, or is the value of a parameter, regardless of case. */
function tagMatcher({ userRequest, parameters }: ComposeRequest): (tag: string) => boolean {
  const words = ` ${wordsOf(userRequest)} `;
  const values = new Set<string>();
  collectValues(parameters, values);
  return (tag) => {
    const wanted = wordsOf(tag);
    return wanted !== '' && (words.includes(` ${wanted} `) || values.has(wanted));
  };
}

/** The words of a text in lower case, one blank between them. */
const wordsOf = (text: string): string => (text.toLowerCase().match(/[\p{L}\p{M}\p{N}_]+/gu) ?? []).join(' ');

function collectValues(json: Json, values: Set<string>): void {
  const open: Json[] = [json];
  for (let top = open.pop(); top !== undefined; top = open.pop()) {
    if (typeof top === 'object' && top !== null) for (const value of Object.values(top)) open.push(value);
    else if (top !== null) values.add(wordsOf(String(top)));
  }
}
