package dev.idem.agent.retry;

import dev.idem.agent.retry.Diagnosis.Outlook;

/** The diagnoses of gRPC status codes. */
final class GrpcCode {
    private GrpcCode() {}

    static Diagnosis diagnose(String code) {
        return switch (code) {
            case "RESOURCE_EXHAUSTED" -> Diagnosis.definite(Outlook.PASSING);
            case "UNAVAILABLE", "DEADLINE_EXCEEDED", "INTERNAL", "ABORTED" -> Diagnosis.ambiguous(Outlook.PASSING);
            case "INVALID_ARGUMENT",
                    "NOT_FOUND",
                    "PERMISSION_DENIED",
                    "UNAUTHENTICATED",
                    "FAILED_PRECONDITION",
                    "OUT_OF_RANGE",
                    "UNIMPLEMENTED" -> Diagnosis.definite(Outlook.LASTING);
            default -> Diagnosis.NONE;
        };
    }
}
