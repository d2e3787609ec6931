/** One skill file as a readonly value. */

import type { Frontmatter } from '../languages/yaml/frontmatter.ts';
import type { LineStarts } from '../text.ts';
import type { Dialect } from '../vocabulary/dialect.ts';
import type { ShapeProblem } from '../vocabulary/shape-problem.ts';
import type { ArtifactMetadata, ExampleData, SkillTemplate } from './artifact-data.ts';
import type { Body } from './body.ts';
import type { Condition } from './conditions.ts';
import type { SkillContract } from './contract.ts';
import type { SkillSummary } from './summary.ts';
import type { Suppression } from './suppressions.ts';

export interface SkillDocument {
  readonly uri: string;
  readonly dialect: Dialect;
  /** False for a plain `skills/*.md` whose frontmatter does not make it a skill; nothing is said about such a file. */
  readonly isSkill: boolean;
  /** Whether it declares samples that can be composed: asked of every file that an edit concerns, most of which are not open. */
  readonly hasSamples: boolean;
  readonly text: string;
  readonly lines: LineStarts;
  readonly frontmatter: Frontmatter;
  readonly contract: SkillContract;
  /** Undefined for the dialects without a body. */
  readonly body: Body | undefined;
  readonly metadata: readonly ArtifactMetadata[];
  readonly examples: readonly ExampleData[];
  readonly templates: readonly SkillTemplate[];
  readonly conditions: readonly Condition[];
  /** Where the frontmatter and the metadata of artifacts do not have the shape of their vocabularies. */
  readonly problems: readonly ShapeProblem[];
  readonly suppressions: readonly Suppression[];
  readonly summary: SkillSummary;
}
