import { equalJson, type JsonObject } from '#base/json.ts';
import { sparseObject } from '#schema/types/sparse.ts';

/** The template without what means nothing. Programs in Go write `resources: {}` and `creationTimestamp: null`. */
export const sparseTemplate = (template: JsonObject): JsonObject =>
  sparseObject('io.k8s.api.core.v1.PodTemplateSpec', template);

/** Whether two templates make the same pods, whoever wrote them. */
export const isSameTemplate = (left: JsonObject, right: JsonObject): boolean =>
  equalJson(left, right) || equalJson(sparseTemplate(left), sparseTemplate(right));
