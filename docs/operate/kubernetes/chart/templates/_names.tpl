{{- define "quern.name" -}}{{ .Release.Name | trunc 50 | trimSuffix "-" }}{{- end }}
{{- define "quern.selector" -}}
app.kubernetes.io/name: quern
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}
{{- define "quern.labels" -}}
{{ include "quern.selector" . }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
{{- end }}
{{- define "quern.webhook.selector" -}}
app.kubernetes.io/name: quern-webhook
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}
{{- define "quern.webhook.labels" -}}
{{ include "quern.webhook.selector" . }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
{{- end }}
{{- define "quern.record.selector" -}}
app.kubernetes.io/name: quern-record
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}
{{- define "quern.record.labels" -}}
{{ include "quern.record.selector" . }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
{{- end }}
{{- /* The ConfigMap with the queue configuration, and its key. */}}
{{- define "quern.queues.name" -}}{{ .Values.existingConfigMap.name | default (printf "%s-queues" (include "quern.name" .)) }}{{- end }}
{{- define "quern.queues.key" -}}{{ if .Values.existingConfigMap.name }}{{ .Values.existingConfigMap.key }}{{ else }}queues.yaml{{ end }}{{- end }}
{{- /* The Secrets that the interfaces need, by the names of their volumes. */}}
{{- define "quern.api.secrets" -}}
{{- with .Values.api }}
{{- if .enabled }}
{{- with .tls.secret }}
tls: {{ . }}
{{- end }}
{{- with .clientCA.secret }}
client-ca: {{ . }}
{{- end }}
{{- with .tokens.secret }}
tokens: {{ . }}
{{- end }}
{{- with .oidc.ca.secret }}
oidc: {{ . }}
{{- end }}
{{- end }}
{{- end }}
{{- end }}
{{- /* The flags of the interfaces. Without TLS and authentication the program would refuse to start. */}}
{{- define "quern.api.args" -}}
{{- with .Values.api }}
{{- if .enabled }}
{{- if not .insecure }}
{{- if not .tls.secret }}{{ fail "api.enabled: expected api.tls.secret, the name of a Secret of the type kubernetes.io/tls, or api.insecure, found neither" }}{{ end }}
{{- if not (or .tokens.secret .clientCA.secret .oidc.issuer) }}{{ fail "api.enabled: expected api.tokens.secret, api.clientCA.secret or api.oidc.issuer, so that users can show who they are, or api.insecure, found none" }}{{ end }}
{{- end }}
- --http=:9080
- --grpc=:9081
- --leader-pod=$(POD_NAME)
{{- if .tls.secret }}
- --tls-cert=/tls/tls.crt
- --tls-key=/tls/tls.key
{{- end }}
{{- if .clientCA.secret }}
- --client-ca=/client-ca/{{ .clientCA.key }}
{{- end }}
{{- if .tokens.secret }}
- --tokens=/tokens/{{ .tokens.key }}
{{- end }}
{{- if .oidc.issuer }}
- {{ printf "--oidc-issuer=%s" .oidc.issuer | quote }}
- {{ printf "--oidc-audience=%s" .oidc.audience | quote }}
{{- with .oidc.userClaim }}
- {{ printf "--oidc-user-claim=%s" . | quote }}
{{- end }}
{{- end }}
{{- if .insecure }}
- --insecure
{{- end }}
{{- end }}
{{- end }}
{{- end }}
{{- define "quern.api.labels" -}}
app.kubernetes.io/name: quern-api
app.kubernetes.io/instance: {{ .Release.Name }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
{{- end }}
