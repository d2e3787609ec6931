/** The table of rules. A new rule needs a line here and a page in `docs/rules`. */
import { agentSkillAllowedTools } from './agent-skill-allowed-tools.ts';
import { agentSkillBodySize } from './agent-skill-body-size.ts';
import { agentSkillCompatibility } from './agent-skill-compatibility.ts';
import { agentSkillCut } from './agent-skill-cut.ts';
import { agentSkillDescription } from './agent-skill-description.ts';
import { agentSkillFileName } from './agent-skill-file-name.ts';
import { agentSkillIgnored } from './agent-skill-ignored.ts';
import { agentSkillKeyValue } from './agent-skill-key-value.ts';
import { agentSkillMetadata } from './agent-skill-metadata.ts';
import { agentSkillMissingKey } from './agent-skill-missing-key.ts';
import { agentSkillName, agentSkillNameFolder } from './agent-skill-name-rules.ts';
import { agentSkillNeverInvoked } from './agent-skill-never-invoked.ts';
import { agentSkillNotLoaded } from './agent-skill-not-loaded.ts';
import { agentSkillReferenceDepth } from './agent-skill-reference-depth.ts';
import { agentSkillSplitFrontmatter } from './agent-skill-split-frontmatter.ts';
import { agentSkillUnknownKey } from './agent-skill-unknown-key.ts';
import { retiredArtifactKind, unknownArtifactKind } from './artifact-kind-rules.ts';
import { breakingChange } from './breaking-change.ts';
import { brokenComposedSkill } from './broken-composed-skill.ts';
import { brokenLink } from './broken-link.ts';
import { budgetExceeded } from './budget-exceeded.ts';
import { canaryTotal } from './canary-total.ts';
import { unknownChannel, unknownEffect, unknownModel, unknownScope, unknownSurface } from './catalog-name-rules.ts';
import { chainedComparison } from './chained-comparison.ts';
import { circularDependency } from './circular-dependency.ts';
import { embeddedSecret, encodedPayload, pipeToShell, selfRunningCommand, unscopedShell } from './command-rules.ts';
import {
  ambiguousFieldMapping,
  formatMismatch,
  missingRequiredField,
  parallelOutputs,
  typeMismatch,
  unusedMapping,
} from './data-flow-rules.ts';
import { deprecatedSkill } from './deprecated-skill.ts';
import { diamondDependency } from './diamond-dependency.ts';
import { disabledPart } from './disabled-part.ts';
import { duplicateArtifact } from './duplicate-artifact.ts';
import { duplicateKey } from './duplicate-key.ts';
import { duplicateMapping } from './duplicate-mapping.ts';
import { duplicateSkill } from './duplicate-skill.ts';
import { emptyArtifact } from './empty-artifact.ts';
import { escapingPath } from './escaping-path.ts';
import { exampleMismatch } from './example-mismatch.ts';
import { generatedSkill } from './generated-skill.ts';
import { hiddenInstructions } from './hidden-instructions.ts';
import { incompleteContract } from './incomplete-contract.ts';
import { undeclaredInterrupt, unknownInterrupt, unusedInterrupt } from './interrupt-rules.ts';
import { invalidAdapter } from './invalid-adapter.ts';
import { invalidArtifactMetadata } from './invalid-artifact-metadata.ts';
import { invalidCondition } from './invalid-condition.ts';
import { invalidExecution } from './invalid-execution.ts';
import { invalidJson } from './invalid-json.ts';
import { invalidName } from './invalid-name.ts';
import { invalidPackage } from './invalid-package.ts';
import { invalidPermission } from './invalid-permission.ts';
import { invalidPolicy } from './invalid-policy.ts';
import { invalidSample } from './invalid-sample.ts';
import { invalidSchema } from './invalid-schema.ts';
import { invalidToolConstraints } from './invalid-tool-constraints.ts';
import { invalidValue } from './invalid-value.ts';
import { invalidYaml } from './invalid-yaml.ts';
import { invisibleText } from './invisible-text.ts';
import { invalidL2Compose, invalidL3Compose, invalidLevel, levelViolation } from './level-rules.ts';
import { listingOverBudget } from './listing-over-budget.ts';
import { missingComposition } from './missing-composition.ts';
import { missingFraming } from './missing-framing.ts';
import { missingFrontmatter } from './missing-frontmatter.ts';
import { missingInclude } from './missing-include.ts';
import { missingKey } from './missing-key.ts';
import { missingOwner } from './missing-owner.ts';
import { missingInputSchema, missingOutputSchema } from './missing-schema-rules.ts';
import { missingScope } from './missing-scope.ts';
import { nameFileMismatch } from './name-file-mismatch.ts';
import { overContextBudget } from './over-context-budget.ts';
import { overlappingSkills } from './overlapping-skills.ts';
import { argumentNumbers, unescapedDollar, unfilledPlaceholder } from './placeholder-rules.ts';
import { routingFails } from './routing-fails.ts';
import { codeOf, type Rule } from './rule.ts';
import { sampleFails } from './sample-fails.ts';
import { skillNotFound } from './skill-not-found.ts';
import { slowPattern } from './slow-pattern.ts';
import { speculatedWrite } from './speculated-write.ts';
import { invalidStepName, stepOrder, unknownStep, unusedStep } from './step-rules.ts';
import { templateInProse } from './template-in-prose.ts';
import { templateSyntax } from './template-syntax.ts';
import { refusedValue, unknownFilter, unknownTest } from './template-value-rules.ts';
import { unclosedFence } from './unclosed-fence.ts';
import { undeclaredNetwork } from './undeclared-network.ts';
import { undeclaredSkill } from './undeclared-skill.ts';
import { undeclaredTool } from './undeclared-tool.ts';
import { undefinedVariable } from './undefined-variable.ts';
import { effectsUnderstated, operationUnderstated } from './understated-rules.ts';
import { unguardedValue } from './unguarded-value.ts';
import { unknownArtifact } from './unknown-artifact.ts';
import { unknownKey } from './unknown-key.ts';
import { unknownServer } from './unknown-server.ts';
import { unknownTool } from './unknown-tool.ts';
import { unreadText } from './unread-text.ts';
import { unreadableFile } from './unreadable-file.ts';
import { unreferencedFile } from './unreferenced-file.ts';
import { unsafeRetry } from './unsafe-retry.ts';
import { unshippedSkill } from './unshipped-skill.ts';
import { unusedParameter } from './unused-parameter.ts';
import { unusedProse } from './unused-prose.ts';
import { unusedSuppression } from './unused-suppression.ts';
import { unusedTemplate } from './unused-template.ts';
import { unusedTool } from './unused-tool.ts';
import { versionConflict } from './version-conflict.ts';
import { versionMismatch } from './version-mismatch.ts';

export const rules: readonly Rule[] = [
  agentSkillAllowedTools,
  agentSkillBodySize,
  agentSkillCompatibility,
  agentSkillCut,
  agentSkillDescription,
  agentSkillFileName,
  agentSkillIgnored,
  agentSkillKeyValue,
  agentSkillMetadata,
  agentSkillMissingKey,
  agentSkillName,
  agentSkillNameFolder,
  agentSkillNeverInvoked,
  agentSkillNotLoaded,
  agentSkillReferenceDepth,
  agentSkillSplitFrontmatter,
  agentSkillUnknownKey,
  ambiguousFieldMapping,
  argumentNumbers,
  breakingChange,
  brokenComposedSkill,
  brokenLink,
  budgetExceeded,
  canaryTotal,
  chainedComparison,
  circularDependency,
  deprecatedSkill,
  diamondDependency,
  disabledPart,
  duplicateArtifact,
  duplicateKey,
  duplicateMapping,
  duplicateSkill,
  effectsUnderstated,
  embeddedSecret,
  emptyArtifact,
  encodedPayload,
  escapingPath,
  exampleMismatch,
  formatMismatch,
  generatedSkill,
  hiddenInstructions,
  incompleteContract,
  invalidAdapter,
  invalidArtifactMetadata,
  invalidCondition,
  invalidExecution,
  invalidJson,
  invalidL2Compose,
  invalidL3Compose,
  invalidLevel,
  invalidName,
  invalidPackage,
  invalidPermission,
  invalidPolicy,
  invalidSample,
  invalidSchema,
  invalidStepName,
  invalidToolConstraints,
  invalidValue,
  invalidYaml,
  invisibleText,
  levelViolation,
  listingOverBudget,
  missingComposition,
  missingFraming,
  missingFrontmatter,
  missingInclude,
  missingInputSchema,
  missingKey,
  missingOutputSchema,
  missingOwner,
  missingRequiredField,
  missingScope,
  nameFileMismatch,
  operationUnderstated,
  overContextBudget,
  overlappingSkills,
  parallelOutputs,
  pipeToShell,
  refusedValue,
  retiredArtifactKind,
  routingFails,
  sampleFails,
  selfRunningCommand,
  skillNotFound,
  slowPattern,
  speculatedWrite,
  stepOrder,
  templateInProse,
  templateSyntax,
  typeMismatch,
  unclosedFence,
  undeclaredInterrupt,
  undeclaredNetwork,
  undeclaredSkill,
  undeclaredTool,
  undefinedVariable,
  unescapedDollar,
  unfilledPlaceholder,
  unguardedValue,
  unknownArtifact,
  unknownArtifactKind,
  unknownChannel,
  unknownEffect,
  unknownFilter,
  unknownInterrupt,
  unknownKey,
  unknownModel,
  unknownScope,
  unknownServer,
  unknownStep,
  unknownSurface,
  unknownTest,
  unknownTool,
  unreadText,
  unreadableFile,
  unreferencedFile,
  unsafeRetry,
  unscopedShell,
  unshippedSkill,
  unusedInterrupt,
  unusedMapping,
  unusedParameter,
  unusedProse,
  unusedStep,
  unusedSuppression,
  unusedTemplate,
  unusedTool,
  versionConflict,
  versionMismatch,
];

/** Returns a rule by its name, or by its number in upper or lower case; undefined for an unknown name. */
export const findRule = (name: string): Rule | undefined =>
  rules.find((rule) => rule.name === name || codeOf(rule).toLowerCase() === name.toLowerCase());
