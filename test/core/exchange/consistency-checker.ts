/**
 * The example package from the design for packages with several artifacts, copied unchanged. The state of the
 * package is a placeholder.
 */
export const CONSISTENCY_CHECKER = JSON.stringify(
  {
    id: '550e8400-e29b-41d4-a716-446655440000',
    name: 'Consistency Checker',
    description: 'Analyzes workspace content for contradictions and inconsistencies across pages.',
    version: '1.0.0',
    tags: ['analysis', 'worldbuilding', 'quality'],
    source: 'system',
    intent_patterns: ['check consistency', 'find contradictions', 'verify facts'],
    trigger_phrases: ['are there any contradictions', 'check for inconsistencies'],
    artifacts: [
      {
        kind: 'description',
        name: 'Overview',
        ordinal: 0,
        content:
          'The Consistency Checker skill analyzes content across your workspace to identify contradictions, inconsistencies, and conflicting statements. It is most useful for worldbuilding projects with many interrelated entities (characters, locations, timelines).',
      },
      {
        kind: 'prompt_template',
        name: 'Check Prompt',
        ordinal: 1,
        content:
          'Given the following claims about "{{ entity_name }}":\n\n{% for claim in claims %}Claim {{ loop.index }} (from [[{{ claim.page_name }}]]): {{ claim.text }}\n{% endfor %}\n\nIdentify any contradictions between these claims. For each contradiction, cite the specific claims by number and explain the conflict.',
      },
      {
        kind: 'code_template',
        name: 'Cross-Reference Script',
        ordinal: 2,
        content: "import inklings\n\npages = inklings.search('{{ entity_type }}')\n",
      },
      {
        kind: 'dspy_module',
        name: 'DSPy Checker',
        ordinal: 3,
        content: '{"template_id": "chain_of_thought", "signature": "claims -> contradictions"}',
        state_blob: '<base64-encoded JSON from DSPy module.save(path, save_program=False)>',
        metadata: { fallback_artifact: 'Check Prompt' },
      },
    ],
  },
  undefined,
  2,
);
