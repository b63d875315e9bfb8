package dev.idem.agent.retry;

import dev.idem.NotExecutedException;
import dev.idem.agent.retry.Diagnosis.Outlook;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.net.ConnectException;
import java.net.NoRouteToHostException;
import java.net.UnknownHostException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.UnresolvedAddressException;
import java.nio.file.FileSystemException;
import java.security.cert.CertificateException;
import java.util.concurrent.TimeoutException;
import javax.net.ssl.SSLHandshakeException;

/** Exceptions of the JDK for a remote that can't be reached or does not answer. */
enum NetworkFailures implements Failures {
    INSTANCE;

    @Override
    public Diagnosis diagnose(Throwable thrown) {
        return Chain.diagnose(thrown, NetworkFailures::one);
    }

    static Diagnosis one(Throwable thrown) {
        if (thrown instanceof NotExecutedException || neverConnected(thrown)) {
            return Diagnosis.definite(Outlook.PASSING);
        }
        if (thrown instanceof IOException && isUntrusted(thrown)) {
            return Diagnosis.definite(Outlook.LASTING);
        }
        if (thrown instanceof InterruptedException || thrown instanceof ClosedByInterruptException) {
            return Diagnosis.ambiguous(Outlook.UNKNOWN);
        }
        if (thrown.getClass().getName().startsWith("javax.net.ssl.")) {
            // The remote may refuse the connection too, and a connection may break while it is being secured.
            return Diagnosis.ambiguous(Outlook.UNKNOWN);
        }
        boolean passing = thrown instanceof TimeoutException
                || thrown instanceof AttemptTimeoutException
                || (thrown instanceof IOException && !isAboutAFile(thrown));
        return passing ? Diagnosis.ambiguous(Outlook.PASSING) : Diagnosis.NONE;
    }

    /** Whether this side refused the certificate of the remote, its chain or its host name: nothing was sent then. */
    private static boolean isUntrusted(Throwable thrown) {
        boolean securing = false;
        for (Throwable one : Chain.of(thrown)) {
            securing |= one instanceof SSLHandshakeException;
            if (securing && one instanceof CertificateException) {
                return true;
            }
        }
        return false;
    }

    /** A file that is not there is an IOException too, but it will not be there a second later either. */
    private static boolean isAboutAFile(Throwable thrown) {
        return thrown instanceof FileSystemException || thrown instanceof FileNotFoundException;
    }

    /** By name: {@code java.net.http} is a module that nothing else here needs. */
    private static boolean neverConnected(Throwable thrown) {
        return thrown instanceof ConnectException
                || thrown instanceof NoRouteToHostException
                || thrown instanceof UnknownHostException
                || thrown instanceof UnresolvedAddressException
                || thrown.getClass().getName().equals("java.net.http.HttpConnectTimeoutException");
    }
}
