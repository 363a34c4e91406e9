import type { Json } from '#base/json.ts';
import { printYaml } from '#edge/print-yaml.ts';
import type { KubeObject } from '#kube/object.ts';
import { allComponents, components } from './components.ts';
import { controlNames } from './control-names.ts';
import { baseObjects } from './install-objects.ts';
import type { InstallPlace } from './install-place.ts';

export type ManifestFile = { readonly path: string; readonly text: string };

const every = new Set(controlNames);

/** The kustomizations below `deploy`: a base, its optional components, and an overlay with all of them. */
export const kustomizeFiles = (place: InstallPlace, crdFiles: readonly string[]): readonly ManifestFile[] => [
  kustomization('crds', { resources: crdFiles }),
  kustomization('base', { resources: ['../crds', 'boathook.yaml'] }),
  { path: 'base/boathook.yaml', text: yamlOf(baseObjects({ place, names: every })) },
  ...components.flatMap(({ name, purpose, ...component }) => {
    const folder = `components/${name}`;
    const patches = component.patches(place, every);
    return [
      kustomization(
        folder,
        {
          resources: [`${name}.yaml`],
          ...(patches.length === 0
            ? {}
            : {
                patches: patches.map(({ deployment, operations }) => ({
                  target: { kind: 'Deployment', name: deployment },
                  patch: printYaml(operations),
                })),
              }),
        },
        { kind: 'Component', comment: purpose },
      ),
      { path: `${folder}/${name}.yaml`, text: yamlOf(component.objects(place, every)) },
    ];
  }),
  kustomization('overlays/all', {
    resources: ['../../base'],
    components: allComponents.map((name) => `../../components/${name}`),
  }),
];

type KustomizationForm = { readonly kind: 'Kustomization' | 'Component'; readonly comment?: string };

function kustomization(
  folder: string,
  content: Readonly<Record<string, Json>>,
  { kind, comment }: KustomizationForm = { kind: 'Kustomization' },
): ManifestFile {
  const version = kind === 'Component' ? 'v1alpha1' : 'v1beta1';
  const text = printYaml({ apiVersion: `kustomize.config.k8s.io/${version}`, kind, ...content });
  return {
    path: `${folder}/kustomization.yaml`,
    text: `${comment === undefined ? '' : `# ${comment}\n`}${text}`,
  };
}

export const yamlOf = (objects: readonly KubeObject[]): string => objects.map(printYaml).join('---\n');
